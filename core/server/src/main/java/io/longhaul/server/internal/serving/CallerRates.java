// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.serving;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import io.longhaul.engine.TaskTime;
import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.RateGate;
import io.longhaul.server.Rates;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Limits the rates of callers: each caller has one token bucket for each limited kind of request. Thread-safe. */
public final class CallerRates implements RateGate {

    /**
     * The most callers with buckets. Beyond it, the caller with the oldest last request is forgotten, and begins anew.
     */
    public static final int CALLERS = 10_000;

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** The buckets of one kind. */
    private record Buckets(Bandwidth each, Map<Share, Bucket> callers) {}

    private final TimeMeter clock;
    private volatile Map<Kind, Buckets> limited = Map.of();

    private CallerRates(TimeMeter clock) {
        this.clock = clock;
    }

    /** Sets the rates. All callers begin anew. */
    public void set(Rates rates) {
        var all = new EnumMap<Kind, Buckets>(Kind.class);
        limit(all, Kind.MESSAGE, rates.requestsPerSecond(), SECOND);
        limit(all, Kind.CREATION, rates.creationsPerMinute(), MINUTE);
        limit(all, Kind.POLL, rates.pollsPerMinute(), MINUTE);
        limit(all, Kind.LISTING, rates.listsPerMinute(), MINUTE);
        limited = all;
    }

    /**
     * @param time the clock of a test; null for a monotonic clock: a clock that jumps back would refuse callers for
     *             hours
     */
    public static CallerRates of(Rates rates, @Nullable TaskTime time) {
        var callers = new CallerRates(time == null ? TimeMeter.SYSTEM_NANOTIME : new TestMeter(time));
        callers.set(rates);
        return callers;
    }

    private static void limit(Map<Kind, Buckets> limited, Kind kind, int rate, Duration period) {
        if (rate > 0) {
            var each = Bandwidth.builder()
                    .capacity(rate)
                    .refillGreedy(rate, period)
                    .build();
            limited.put(kind, new Buckets(each, BoundedMap.byUse(CALLERS)));
        }
    }

    @Override
    public Duration wait(Supplier<Share> caller, Kind kind) {
        var buckets = limited.get(kind);
        if (buckets == null) {
            return Duration.ZERO;
        }
        var bucket = bucket(buckets, caller.get());
        if (bucket.tryConsume(1)) {
            return Duration.ZERO;
        }
        return Duration.ofNanos(bucket.estimateAbilityToConsume(1).getNanosToWaitForRefill());
    }

    private Bucket bucket(Buckets buckets, Share caller) {
        synchronized (buckets) {
            return buckets.callers()
                    .computeIfAbsent(
                            caller,
                            unknown -> Bucket.builder()
                                    .addLimit(buckets.each())
                                    .withCustomTimePrecision(clock)
                                    .build());
        }
    }

    private record TestMeter(TaskTime time) implements TimeMeter {
        @Override
        public long currentTimeNanos() {
            return TimeUnit.MILLISECONDS.toNanos(time.now().toEpochMilli());
        }

        @Override
        public boolean isWallClockBased() {
            return true;
        }
    }
}
