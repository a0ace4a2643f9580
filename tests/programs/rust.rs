// SPDX-License-Identifier: BSD-2-Clause
//! What Rust gives a profiler to name: modules, generics, traits, closures, standard library calls.
//! Takes -n ROUNDS or -s SECONDS; prints its truth as JSON on the last line. The gate is as in
//! common.h.
use std::io::Read;
use std::time::Instant;

mod shapes {
    pub trait Weigh {
        fn weigh(&self, x: u64) -> u64;
    }

    pub struct Mixer<T> {
        pub steps: u32,
        pub add: T,
    }

    impl<T: Copy + Into<u64>> Weigh for Mixer<T> {
        #[inline(never)]
        fn weigh(&self, mut x: u64) -> u64 {
            for _ in 0..self.steps {
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
                x = x.wrapping_add(self.add.into());
            }
            x
        }
    }
}

use shapes::{Mixer, Weigh};

#[inline(never)]
fn apply<F: Fn(u64) -> u64>(function: F, x: u64) -> u64 {
    function(x).wrapping_add(1)
}

#[inline(never)]
fn sort_some(mut x: u64) -> u64 {
    let mut v: Vec<u64> = (0..256)
        .map(|_| {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            x
        })
        .collect();
    v.sort_by_key(|e| e >> 7);
    x.wrapping_add(v[128])
}

#[inline(never)]
fn rust_round(x: u64) -> u64 {
    let bytes = Mixer { steps: 9000, add: 3u8 };
    let words = Mixer { steps: 6000, add: 5u32 };
    let shapes: [&dyn Weigh; 2] = [&bytes, &words];
    let mut x = shapes.iter().fold(x, |x, shape| x.wrapping_add(shape.weigh(x)));
    x = apply(|y| bytes.weigh(y) ^ x, x);
    sort_some(x)
}

fn gate_wait() {
    if std::env::var_os("TARGET_GATE").is_some() {
        let _ = std::io::stdin().read(&mut [0u8; 1]);
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |flag: &str| {
        args.iter().position(|a| a == flag).and_then(|i| args.get(i + 1)?.parse::<f64>().ok())
    };
    let rounds = number("-n").unwrap_or(0.0) as u64;
    let seconds = number("-s").unwrap_or(5.0);
    gate_wait();
    let start = Instant::now();
    let (mut x, mut done) = (88172645463325252u64, 0u64);
    while if rounds > 0 { done < rounds } else { start.elapsed().as_secs_f64() < seconds } {
        x = rust_round(x);
        done += 1;
    }
    println!(
        "{{\"target\":\"rust\",\"rounds\":{},\"wall_s\":{:.6},\"check\":{}}}",
        done,
        start.elapsed().as_secs_f64(),
        x
    );
    if std::env::var("TARGET_GATE").as_deref() == Ok("2") {
        gate_wait();
    }
}
