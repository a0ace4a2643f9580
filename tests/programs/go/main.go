// SPDX-License-Identifier: BSD-2-Clause

// What Go gives a profiler to name: packages, methods, generics, closures, goroutines. Takes -n ROUNDS
// or -s SECONDS; prints its truth as JSON on the last line. The gate is as in common.h.
package main

import (
	"flag"
	"fmt"
	"os"
	"sort"
	"sync"
	"time"
)

type number interface{ ~uint32 | ~uint64 }

type mixer[T number] struct{ steps int }

//go:noinline
func (m *mixer[T]) weigh(x uint64) uint64 {
	for i := 0; i < m.steps; i++ {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		x += uint64(T(3))
	}
	return x
}

//go:noinline
func apply(f func(uint64) uint64, x uint64) uint64 { return f(x) + 1 }

//go:noinline
func sortSome(x uint64) uint64 {
	v := make([]uint64, 256)
	for i := range v {
		x = x*6364136223846793005 + 1442695040888963407
		v[i] = x
	}
	sort.Slice(v, func(i, j int) bool { return v[i]>>7 < v[j]>>7 })
	return x + v[128]
}

//go:noinline
func goRound(x uint64) uint64 {
	words := &mixer[uint64]{steps: 9000}
	x += words.weigh(x)
	x = apply(func(y uint64) uint64 { return words.weigh(y) ^ x }, x)
	return sortSome(x)
}

//go:noinline
func goroutineWork(rounds uint64, done *sync.WaitGroup, out *uint64) {
	defer done.Done()
	x := uint64(1)
	for i := uint64(0); i < rounds; i++ {
		x = goRound(x)
	}
	*out = x
}

func gateWait() {
	if os.Getenv("TARGET_GATE") != "" {
		os.Stdin.Read(make([]byte, 1))
	}
}

func main() {
	rounds := flag.Uint64("n", 0, "rounds")
	seconds := flag.Float64("s", 5, "seconds")
	flag.Parse()
	gateWait()
	start := time.Now()
	x, done := uint64(88172645463325252), uint64(0)
	for (*rounds > 0 && done < *rounds) ||
		(*rounds == 0 && time.Since(start).Seconds() < *seconds) {
		var wait sync.WaitGroup
		var other uint64
		wait.Add(1)
		go goroutineWork(100, &wait, &other)
		for i := 0; i < 100; i++ {
			x = goRound(x)
		}
		wait.Wait()
		x += other
		done += 200
	}
	fmt.Printf("{\"target\":\"go\",\"rounds\":%d,\"wall_s\":%.6f,\"check\":%d}\n",
		done, time.Since(start).Seconds(), x)
	if os.Getenv("TARGET_GATE") == "2" {
		gateWait()
	}
}
