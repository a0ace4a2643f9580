// SPDX-License-Identifier: BSD-2-Clause

// C that calls Go that calls C, with work at each level: as a program of Go's, or as a library in a
// program of C's (gocaller.c), whose thread then is the root. Takes -s SECONDS; prints its truth as JSON.
package main

/*
#include <stdint.h>

extern uint64_t goMiddle(uint64_t x);

static __attribute__((noinline)) uint64_t c_work(uint64_t x)
{
	for (int i = 0; i < 20000; i++)
		x = x * 6364136223846793005u + 1442695040888963407u;
	return x;
}

static __attribute__((noinline)) uint64_t c_inner(uint64_t x)
{
	return c_work(x) + 1;
}

static __attribute__((noinline)) uint64_t c_outer(uint64_t x)
{
	return goMiddle(c_work(x)) + 2;
}
*/
import "C"

import (
	"flag"
	"fmt"
	"time"
)

//go:noinline
func goWork(x uint64) uint64 {
	for i := 0; i < 20000; i++ {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

//export goMiddle
func goMiddle(x C.uint64_t) C.uint64_t { return C.c_inner(C.uint64_t(goClock(goWork(uint64(x))))) + 3 }

// The vDSO, to which Go goes on the thread's stack.
//
//go:noinline
func goClock(x uint64) uint64 {
	for i := 0; i < 300; i++ {
		x += uint64(time.Now().Nanosecond() & 1)
	}
	return x
}

// What a program of C's calls.
//
//export goOuter
func goOuter(x C.uint64_t) C.uint64_t { return C.c_outer(x) }

func main() {
	seconds := flag.Float64("s", 5, "seconds")
	flag.Parse()
	start := time.Now()
	x, done := C.uint64_t(1), uint64(0)
	for ; time.Since(start).Seconds() < *seconds; done++ {
		x = C.c_outer(x)
	}
	fmt.Printf("{\"target\":\"gocall\",\"rounds\":%d,\"wall_s\":%.6f,\"check\":%d}\n",
		done, time.Since(start).Seconds(), uint64(x))
}
