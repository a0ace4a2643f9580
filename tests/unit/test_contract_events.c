// SPDX-License-Identifier: BSD-2-Clause
/* A profile as the contract's events: what each location, sample and number becomes. */
#include "build_profile.h"

#include <errno.h>

#include "formats/contract/collector.h"
#include "formats/contract/report.h"
#include "user/contract_events.h"
#include "user/contract_options.h"

static struct contract_options options_for(const char *root)
{
	struct contract_options o;

	contract_options_init(&o);
	o.threshold = 0;
	o.limit = 100;
	o.project_root = root;
	return o;
}

static struct collector *collected(const struct profile *p, const char *root)
{
	struct contract_options options = options_for(root);
	struct collector *c = NULL;

	assert_int_equal(contract_collect(p, &options, &c), 0);
	assert_non_null(c);
	return c;
}

static bool is(struct contract_text text, const char *s)
{
	return text.n == strlen(s) && memcmp(text.s, s, text.n) == 0;
}

/* The only bottleneck of this name, or the one of those that comes at a place among them. */
static const struct bottleneck *find(const struct contract_report *r, const char *name,
				     uint32_t nth)
{
	for (uint32_t i = 0; i < r->n; i++) {
		struct contract_function f =
			catalog_function(r->collector->catalog, r->bottlenecks[i].function);

		if (is(f.name, name) && nth-- == 0)
			return &r->bottlenecks[i];
	}
	return NULL;
}

static void check_place(const struct contract_report *r, const char *name, const char *path,
			uint64_t line)
{
	const struct bottleneck *b = find(r, name, 0);
	struct contract_function f;

	assert_non_null(b);
	f = catalog_function(r->collector->catalog, b->function);
	if (!path) {
		assert_int_equal(f.source, CONTRACT_NONE);
		return;
	}
	assert_true(is(catalog_source(r->collector->catalog, f.source).path, path));
	assert_int_equal(f.line, line);
}

static void test_states_and_shares(void **state)
{
	struct profile *p = sample_profile("app", "worker", NASTY_FUNCTION);
	uint32_t app = 0, kernel = 2, thread = 0, read;
	struct contract_report *r = NULL;
	struct collector *c;

	assert_int_equal(profile_object(p, app)->kind, PROFILE_OBJECT_FILE);
	assert_int_equal(profile_object(p, kernel)->kind, PROFILE_OBJECT_KERNEL);
	assert_int_equal(
		profile_add_location(p, kernel, PROFILE_LOCATION_KERNEL, 0xffffffff81000100, &read),
		0);
	add_cut_sample(p, thread, &read, 1, PROFILE_END_NO_USER, 3); /* in the kernel only */
	add_cut_sample(p, thread, NULL, 0, PROFILE_END_NO_USER,
		       4); /* the same without its frames */
	add_cut_sample(p, thread, NULL, 0, PROFILE_END_UNMAPPED, 2); /* nothing is known of it */
	c = collected(p, "/src");
	/* From set_numbers: 4 coalesced, 3 dropped. */
	assert_int_equal(c->cpu.recorded, 109);
	assert_int_equal(c->cpu.states[CONTRACT_JETT], 100);
	assert_int_equal(c->cpu.states[CONTRACT_RUNTIME], 7);
	assert_int_equal(c->cpu.states[CONTRACT_UNAVAILABLE], 2);
	assert_int_equal(c->cpu.states[CONTRACT_WAITING], 0);
	assert_true(c->config.no_waiting);
	assert_int_equal(c->end.cpu_ns, CONTRACT_NO_NUMBER);
	assert_int_equal(c->cpu.coalesced, 4);
	assert_int_equal(c->cpu.dropped, 3);
	assert_int_equal(c->end.wall_ns, 2000000000);
	assert_int_equal(c->config.rate_hz, 1000);
	assert_int_equal(report_make(c, &r), 0);
	/* Self goes to the innermost user frame, the inlined one included; recursion counts once. */
	assert_int_equal(find(r, "main", 0)->impact, 60);
	assert_int_equal(find(r, "main", 0)->second, 0);
	assert_int_equal(find(r, "work", 0)->impact, 50);
	assert_int_equal(find(r, "work", 0)->second, 20);
	assert_int_equal(find(r, "helper", 0)->impact, 30);
	assert_int_equal(find(r, "helper", 0)->second, 30);
	assert_int_equal(find(r, NASTY_FUNCTION, 0)->impact, 40);
	/* Places without a name are apart: the library's, the generated code, the marker. */
	assert_int_equal(find(r, "<unavailable-symbol>", 0)->impact, 40);
	assert_int_equal(find(r, "<unavailable-symbol>", 1)->impact, 15);
	assert_int_equal(find(r, "<unavailable-symbol>", 2)->impact, 10);
	assert_null(find(r, "<unavailable-symbol>", 3));
	assert_null(find(r, "sys_read", 0));
	check_place(r, "work", "app.c", 20);
	check_place(r, "helper", "app.h", 5);
	assert_int_equal(find(r, "helper", 0)->n_lines, 1);
	assert_int_equal(find(r, "helper", 0)->lines[0].line, 7);
	assert_int_equal(find(r, "helper", 0)->lines[0].column, 3);
	report_free(r);
	collector_free(c);
	profile_free(p);
}

static void test_paths_outside(void **state)
{
	struct profile *p = sample_profile("app", "worker", "f");
	struct contract_report *r = NULL;
	struct collector *c = collected(p, "/usr");

	assert_int_equal(report_make(c, &r), 0);
	check_place(r, "work", NULL, 0);
	check_place(r, "main", NULL, 0);
	assert_int_equal(find(r, "helper", 0)->n_lines, 0);
	report_free(r);
	collector_free(c);
	profile_free(p);
}

/* Functions of one name in two files that can't be shown are two, and one in two places is one. */
static void test_identities(void **state)
{
	struct profile *p = cpu_profile();
	uint32_t app = add_object(p, PROFILE_OBJECT_FILE, "/usr/bin/app", "01");
	uint32_t lib = add_object(p, PROFILE_OBJECT_FILE, "/usr/lib/lib.so", "02");
	uint32_t thread = add_thread(p, 100, "app", "/usr/bin/app", 100, "app");
	uint32_t shown[] = {
		add_named(p, app, 0, 0x100, add_function(p, "hidden", "", 0), 0),
		add_named(p, lib, 0, 0x100, add_function(p, "hidden", "", 0), 0),
		add_named(p, app, 0, 0x200, add_function(p, "twice", "/src/a.c", 7), 8),
		add_named(p, app, 0, 0x300, add_function(p, "twice", "/src/a.c", 7), 9),
		/* A line of another file, which a macro brought in. */
		add_named(p, app, 0, 0x400, add_function(p, "twice", "/src/m.h", 7), 99),
	};
	struct contract_report *r = NULL;
	struct collector *c;

	set_numbers(p, 31);
	for (uint32_t i = 0; i < 5; i++)
		add_sample(p, thread, &shown[i], 1, 1U << i);
	c = collected(p, "/src");
	assert_int_equal(report_make(c, &r), 0);
	assert_int_equal(r->n, 3);
	assert_int_equal(find(r, "twice", 0)->impact, 4 + 8 + 16);
	check_place(r, "twice", "a.c", 7);
	assert_int_equal(find(r, "twice", 0)->n_lines, 2);
	assert_int_equal(find(r, "twice", 0)->lines[0].line, 9);
	assert_int_equal(find(r, "twice", 0)->lines[1].line, 8);
	assert_int_equal(find(r, "hidden", 0)->impact, 2);
	assert_int_equal(find(r, "hidden", 1)->impact, 1);
	report_free(r);
	collector_free(c);
	profile_free(p);
}

static void test_namespaces(void **state)
{
	static const struct {
		const char *name, *linkage, *file, *name_space, *own;
	} known[] = {
		{ "main", "main", "/src/a.c", "<root>", "main" },
		{ "int ns::A::f<int>(int)", "_ZN2ns1A1fIiEEii", "/src/a.cc", "ns::A", "f<int>" },
		{ "crate::work", "_RNvCs1_5crate4work", "/src/a.rs", "crate", "work" },
		{ "a.com/b.(*T).F", "a.com/b.(*T).F", "/src/b.go", "a.com/b", "(*T).F" },
	};
	struct profile *p = cpu_profile();
	uint32_t app = add_object(p, PROFILE_OBJECT_FILE, "/usr/bin/app", "01");
	uint32_t thread = add_thread(p, 100, "app", "/usr/bin/app", 100, "app");
	struct contract_report *r = NULL;
	struct collector *c;

	set_numbers(p, 4);
	for (uint32_t i = 0; i < 4; i++) {
		const struct profile_function f = { .name = known[i].name,
						    .system_name = known[i].linkage,
						    .file = known[i].file };
		uint32_t function, location;

		assert_int_equal(profile_add_function(p, &f, &function), 0);
		location = add_named(p, app, 0, 0x100 * (i + 1), function, 1);
		add_sample(p, thread, &location, 1, 1);
	}
	c = collected(p, "/src");
	assert_int_equal(report_make(c, &r), 0);
	for (uint32_t i = 0; i < 4; i++) {
		const struct bottleneck *b = find(r, known[i].own, 0);

		assert_non_null(b);
		assert_true(is(catalog_function(c->catalog, b->function).name_space,
			       known[i].name_space));
	}
	report_free(r);
	collector_free(c);
	profile_free(p);
}

static void set_end(struct profile *p, enum profile_ending ending, bool failed)
{
	struct profile_config config = *profile_config(p);
	struct profile_accounting a = *profile_accounting(p);

	config.ending = ending;
	config.failed = failed;
	assert_int_equal(profile_set_config(p, &config), 0);
	a.has_times = true;
	a.waiting_ticks = 5000;
	a.cpu_ns = 123456789;
	profile_set_accounting(p, &a);
}

static void test_ends(void **state)
{
	static const struct {
		enum profile_ending ending;
		bool failed;
		enum contract_termination termination;
		const char *status;
	} ends[] = {
		{ PROFILE_LIVES_ON, false, CONTRACT_LIVES_ON, "complete" },
		{ PROFILE_RETURNED, false, CONTRACT_RETURNED, "complete" },
		{ PROFILE_KILLED, false, CONTRACT_RUNTIME_ERROR, "complete" },
		{ PROFILE_INTERRUPTED, false, CONTRACT_INTERRUPTED, "partial" },
		{ PROFILE_RETURNED, true, CONTRACT_RETURNED, "partial" },
		{ PROFILE_INTERRUPTED, true, CONTRACT_INTERRUPTED, "partial" },
	};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct profile *p = sample_profile("app", "worker", "f");
		struct collector *c;

		set_end(p, ends[i].ending, ends[i].failed);
		c = collected(p, "/src");
		assert_int_equal(c->end.termination, ends[i].termination);
		assert_string_equal(collector_status(c), ends[i].status);
		assert_int_equal(collector_reason(c) == CONTRACT_COLLECTOR_FAILURE, ends[i].failed);
		assert_false(c->config.no_waiting);
		assert_int_equal(c->cpu.states[CONTRACT_WAITING], 5000);
		assert_int_equal(c->cpu.recorded, 5100);
		assert_int_equal(c->end.cpu_ns, 123456789);
		collector_free(c);
		profile_free(p);
	}
}

static void set_period(struct profile *p, uint64_t period)
{
	struct profile_config config = *profile_config(p);

	config.period_ns = period;
	assert_int_equal(profile_set_config(p, &config), 0);
}

static void test_rates(void **state)
{
	struct contract_options options = options_for("/src");
	struct profile *p = sample_profile("app", "worker", "f");
	struct collector *c = NULL;

	for (unsigned int rate = 1; rate <= 1000; rate += 37) {
		set_period(p, 1000000000 / rate);
		c = collected(p, "/src");
		assert_int_equal(c->config.rate_hz, rate);
		collector_free(c);
	}
	c = NULL;
	set_period(p, 1000000000 / 1001);
	assert_int_equal(contract_collect(p, &options, &c), -ERANGE);
	set_period(p, 0);
	assert_int_equal(contract_collect(p, &options, &c), -ERANGE);
	assert_null(c);
	profile_free(p);
}

static void test_forms_and_full_disks(void **state)
{
	struct contract_options options = options_for("/src");
	struct profile *p = sample_profile(NASTY_PROCESS, NASTY_THREAD, NASTY_FUNCTION);
	struct written toon, json, human;

	WRITTEN(toon, contract_write(p, &options, CONTRACT_FORM_TOON, out));
	WRITTEN(json, contract_write(p, &options, CONTRACT_FORM_JSON, out));
	WRITTEN(human, contract_write(p, &options, CONTRACT_FORM_HUMAN, out));
	assert_memory_equal(toon.bytes, "profile:\n", 9);
	assert_memory_equal(json.bytes, "{\n", 2);
	assert_memory_equal(human.bytes, "CPU profile\n", 12);
	free(toon.bytes);
	free(json.bytes);
	free(human.bytes);
	ASSERT_FULL(contract_write(p, &options, CONTRACT_FORM_TOON, out));
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_states_and_shares),
		cmocka_unit_test(test_paths_outside),
		cmocka_unit_test(test_identities),
		cmocka_unit_test(test_namespaces),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_forms_and_full_disks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
