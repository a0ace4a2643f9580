// SPDX-License-Identifier: BSD-2-Clause
// What C++ gives a profiler to name: namespaces, templates, lambdas, virtual functions, operators,
// exceptions on the stack, and a standard algorithm with a callback. Truth: CPU seconds.
extern "C" {
#include "common.h"
}
#include <algorithm>
#include <functional>
#include <stdexcept>
#include <vector>

namespace outer {
namespace {

struct Shape {
	virtual ~Shape() = default;
	virtual uint64_t weigh(uint64_t x) const = 0;
};

template <typename T, unsigned Steps> struct Mixer final : Shape {
	NOINLINE uint64_t weigh(uint64_t x) const override
	{
		KEEP_FRAME();
		for (unsigned i = 0; i < Steps; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			x += sizeof(T);
		}
		return x;
	}
};

template <typename F> NOINLINE uint64_t apply(F &&function, uint64_t x)
{
	return function(x) + 1;
}

NOINLINE uint64_t sort_some(uint64_t x)
{
	std::vector<uint64_t> v(256);

	for (auto &e : v)
		e = x = x * 6364136223846793005u + 1442695040888963407u;
	std::sort(v.begin(), v.end(), [](uint64_t a, uint64_t b) { return (a >> 7) < (b >> 7); });
	return x + v[128];
}

NOINLINE uint64_t thrower(uint64_t x)
{
	if (x | 1)
		throw std::runtime_error("on purpose");
	return x;
}

NOINLINE uint64_t catcher(uint64_t x)
{
	try {
		return thrower(x);
	} catch (const std::exception &) {
		return x + 1;
	}
}

struct Value {
	uint64_t v;
	NOINLINE Value operator+(const Value &other) const
	{
		return Value{Mixer<short, 3000>().weigh(v ^ other.v)};
	}
};

} // namespace

NOINLINE uint64_t round(uint64_t x)
{
	Mixer<int, 9000> ints;
	Mixer<double, 6000> doubles;
	const Shape *shapes[] = {&ints, &doubles};

	for (const Shape *shape : shapes)
		x += shape->weigh(x);
	x = apply([&](uint64_t y) { return ints.weigh(y) ^ x; }, x);
	std::function<uint64_t(uint64_t)> sorter = sort_some;
	x = sorter(x);
	x = (Value{x} + Value{1}).v;
	return catcher(x);
}

} // namespace outer

int main(int argc, char **argv)
{
	struct work_args args;
	uint64_t x = 88172645463325252u, done = 0;

	parse_args(argc, argv, &args);
	gate_wait();
	double start = clock_seconds(CLOCK_MONOTONIC);
	double cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
	for (; work_left(&args, done, start); done++)
		x = outer::round(x);
	cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	printf("{\"target\":\"cxx\",\"rounds\":%llu,\"cpu_s\":%.6f,\"check\":%llu}\n",
	       (unsigned long long)done, cpu, (unsigned long long)x);
	gate_end();
	return 0;
}
