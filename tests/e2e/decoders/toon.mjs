// SPDX-License-Identifier: BSD-2-Clause
// Decodes TOON documents, in strict mode.
//
//     node toon.mjs TOOLS < DOCUMENTS
//
// TOOLS is the folder whose node_modules hold @toon-format/toon; DOCUMENTS and what is printed are JSON
// arrays, of texts and of what they say: {"value": …} or {"error": …}.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const module = join(resolve(process.argv[2]), "node_modules/@toon-format/toon/dist/index.mjs");
const { decode } = await import(pathToFileURL(module));

function read(text) {
	try {
		return { value: decode(text, { strict: true }) };
	} catch (error) {
		return { error: String(error) };
	}
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(read)));
