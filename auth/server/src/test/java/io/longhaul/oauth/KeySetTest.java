// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import io.longhaul.fakes.Blocking;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How requests wait for the keys of an issuer. */
@Timeout(60)
class KeySetTest {

    private static final JWSHeader HEADER = new JWSHeader(JWSAlgorithm.ES256);

    private final Instant now = Instant.parse("2026-11-23T08:00:00Z");
    private final AtomicInteger reads = new AtomicInteger();
    private final CountDownLatch hangs = new CountDownLatch(1);

    private final KeySet keys = new KeySet("https://login.example", () -> {
        reads.incrementAndGet();
        Blocking.await(hangs);
        throw new IOException("it did not answer");
    });

    @Test
    void requests_that_wait_while_an_issuer_hangs_share_the_end_of_that_wait() throws Exception {
        List<FutureTask<?>> requests = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            var arrival = now.plus(KeySet.FIRST.multipliedBy(2 * i));
            var request = new FutureTask<>(() -> keys.find(HEADER, arrival));
            var thread = new Thread(request);
            thread.start();
            while (LockSupport.getBlocker(thread) == null) {
                Thread.onSpinWait();
            }
            requests.add(request);
        }
        hangs.countDown();
        for (var request : requests) {
            assertThatThrownBy(request::get).hasCauseInstanceOf(IssuerAwayException.class);
        }
        assertThat(reads).hasValue(1);
        assertThatThrownBy(() -> keys.find(HEADER, now.plus(Duration.ofMinutes(1))))
                .isInstanceOf(IssuerAwayException.class);
        assertThat(reads).hasValue(2);
    }
}
