// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.list;

import io.longhaul.client.TestTime;
import io.longhaul.protocol.call.Freshness;
import io.longhaul.testkit.ThreadsContract;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;

/** A list of one number, whatever threads read it while its server has another one in it. */
public class KeptListThreadsTest extends ThreadsContract {

    private static final Freshness FRESH = new Freshness(Duration.ofDays(1), false);

    private final AtomicInteger number = new AtomicInteger();
    private final KeptList<Integer> list = new KeptList<>(
            "numbers", new TestTime(), cursor -> new Pages.Page<>(List.of(number.get()), null, FRESH), item -> 1);

    @Operation
    public int read() {
        return list.items().getFirst();
    }

    @Operation
    public void change() {
        number.incrementAndGet();
        list.forget();
    }
}
