#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes a large C++ program with full debug data: units full of the standard library's templates, closures and
inlined calls, each on types of its own. Usage: largecpp.py FILE UNITS; needs g++ and some seconds a unit."""

import concurrent.futures
import os
import subprocess
import sys

UNIT = """
#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace unit_@ {

struct Point { long x = @, y = 1; bool operator<(const Point &o) const { return x < o.x || (x == o.x && y < o.y); } };
struct Named { std::string name; std::vector<Point> points; };
using Value = std::variant<long, std::string, Point, Named>;

template <typename T, int N> struct Grid {
	std::vector<T> cells = std::vector<T>(N * N);
	template <typename F> void each(F f) { for (auto &cell : cells) f(cell); }
	T &at(int row, int column) { return cells.at(row * N + column); }
};

class Shop {
public:
	void add(const std::string &name, Point p) { stock[name].insert(p); order.push_back(name); }
	long total() const {
		return std::accumulate(stock.begin(), stock.end(), 0L, [](long sum, const auto &entry) {
			for (const auto &p : entry.second)
				sum += p.x * p.y;
			return sum;
		});
	}
	std::string text() const {
		std::ostringstream out;
		for (const auto &name : order)
			out << name << ':' << stock.at(name).size() << ' ';
		return std::regex_replace(out.str(), std::regex("a+"), "b");
	}
private:
	std::map<std::string, std::set<Point>> stock;
	std::deque<std::string> order;
};

static long measure(const Value &value)
{
	return std::visit([](const auto &v) -> long {
		using T = std::decay_t<decltype(v)>;
		if constexpr (std::is_same_v<T, long>)
			return v;
		else if constexpr (std::is_same_v<T, Point>)
			return v.x - v.y;
		else if constexpr (std::is_same_v<T, std::string>)
			return static_cast<long>(v.size());
		else
			return static_cast<long>(v.points.size() + v.name.size());
	}, value);
}

long run(long seed)
{
	std::unordered_map<std::string, std::shared_ptr<Named>> known;
	std::vector<std::function<long(long)>> steps;
	Grid<Point, 8> grid;
	Shop shop;

	for (long i = 0; i < seed % 50; i++) {
		auto named = std::make_shared<Named>();
		named->name = "item" + std::to_string(i * @);
		named->points.assign(i % 5, Point{i, seed});
		known.emplace(named->name, named);
		shop.add(named->name, Point{i, -i});
		steps.push_back([named, i](long x) { return x * i + measure(*named); });
	}
	grid.each([&](Point &p) { p.x += seed; });
	std::sort(grid.cells.begin(), grid.cells.end(), [](const Point &a, const Point &b) { return b < a; });
	std::stable_partition(grid.cells.begin(), grid.cells.end(), [&](const Point &p) { return p.x > seed; });
	for (const auto &step : steps)
		seed = step(seed);
	return seed + shop.total() + static_cast<long>(shop.text().size()) + grid.at(2, 3).x;
}
}
"""


def compile_unit(folder, number):
    source, out = (os.path.join(folder, f"unit{number}.{end}") for end in ("cpp", "o"))
    with open(source, "w") as file:
        file.write(UNIT.replace("@", str(number)))
    subprocess.run(["g++", "-std=c++17", "-O2", "-g", "-c", "-o", out, source], check=True)
    return out


def make(path, units):
    """Compiles into a folder beside path, which is taken away."""
    folder = path + ".parts"
    os.makedirs(folder, exist_ok=True)
    main = os.path.join(folder, "main.cpp")
    with open(main, "w") as file:
        for number in range(units):
            file.write(f"namespace unit_{number} {{ long run(long); }}\n")
        file.write("int main(int argc, char **) {\n\tlong sum = argc;\n")
        for number in range(units):
            file.write(f"\tsum = unit_{number}::run(sum);\n")
        file.write("\treturn sum == 42;\n}\n")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(lambda number: compile_unit(folder, number), range(units)))
    subprocess.run(["g++", "-g", "-Wl,--build-id", "-o", path + ".new", main, *objects], check=True)
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
    os.rmdir(folder)
    os.replace(path + ".new", path)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    make(sys.argv[1], int(sys.argv[2]))
