// SPDX-License-Identifier: BSD-2-Clause
// Opens profiles in the real speedscope, in headless Chromium, and prints what it shows.
//
//     node speedscope.mjs TOOLS FILE...
//
// TOOLS is the folder whose node_modules hold playwright-core and speedscope; CHROMIUM names another
// browser than chromium. One JSON object a file: the file, what went wrong (complaints), the frames and
// profiles (name, unit, total) that speedscope exports again after reading it, and the rows (frame,
// total, self, as shown) of the sandwich view of the active profile.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [tools, ...files] = process.argv.slice(2);
const require = createRequire(join(resolve(tools), "package.json"));
const { chromium } = require("playwright-core");
const application = join(resolve(tools), "node_modules/speedscope/dist/release/index.html");

function browserPath() {
	const name = process.env.CHROMIUM ?? "chromium";
	return execFileSync("sh", ["-c", 'command -v "$0"', name], { encoding: "utf8" }).trim();
}

// A page served from file:// may not fetch, so the profile comes as a script that hands it over.
function loaderScript(folder, file) {
	const path = join(folder, "profile.js");
	const name = JSON.stringify(basename(file));
	const data = readFileSync(file).toString("base64");
	writeFileSync(path, `speedscope.loadFileFromBase64(${name}, "${data}");\n`);
	return path;
}

function total(profile) {
	if (profile.type === "sampled")
		return profile.weights.reduce((sum, weight) => sum + weight, 0);
	return profile.endValue - profile.startValue;
}

async function exported(page) {
	const [download] = await Promise.all([
		page.waitForEvent("download", { timeout: 30000 }),
		page.keyboard.press("Control+s"),
	]);
	const data = JSON.parse(readFileSync(await download.path(), "utf8"));
	return {
		active: data.activeProfileIndex ?? 0,
		frames: data.shared.frames,
		profiles: data.profiles.map((profile) => ({
			name: profile.name,
			unit: profile.unit,
			total: total(profile),
		})),
	};
}

async function sandwichRows(page) {
	await page.keyboard.press("3");
	await page.waitForFunction(() => document.body.innerText.includes("Symbol Name"));
	return page.$$eval("table tr", (rows) =>
		rows
			.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent.trim()))
			.filter((cells) => cells.length === 3 && cells[0].endsWith("%)"))
			.map(([shownTotal, shownSelf, frame]) => ({ frame, total: shownTotal, self: shownSelf })),
	);
}

async function inspect(context, folder, file) {
	const page = await context.newPage();
	const complaints = [];
	page.on("pageerror", (error) => complaints.push(String(error)));
	page.on("dialog", (dialog) => {
		complaints.push(dialog.message());
		dialog.dismiss();
	});
	const script = loaderScript(folder, file);
	await page.goto(`${pathToFileURL(application)}#localProfilePath=${script}`);
	try {
		await page.waitForFunction(() => /Export|went wrong/.test(document.body.innerText));
		const text = await page.evaluate(() => document.body.innerText);
		if (text.includes("went wrong"))
			return { file, complaints: [...complaints, text] };
		const shown = await exported(page);
		return { file, title: await page.title(), complaints, ...shown, rows: await sandwichRows(page) };
	} catch (error) {
		return { file, complaints: [...complaints, String(error)] };
	} finally {
		await page.close();
	}
}

const folder = mkdtempSync(join(tmpdir(), "speedscope-"));
const browser = await chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox"] });
try {
	const context = await browser.newContext({ acceptDownloads: true });
	for (const file of files)
		console.log(JSON.stringify(await inspect(context, folder, file)));
} finally {
	await browser.close();
	rmSync(folder, { recursive: true });
}
