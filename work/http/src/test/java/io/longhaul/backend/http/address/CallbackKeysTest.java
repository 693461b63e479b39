// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.address;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryTaskStore;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CallbackKeysTest {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);

    @Test
    void callbacks_that_nobody_has_signed_have_the_keys_read_once_a_second() {
        var shared = MemoryTaskStore.shared().rows();
        var keys = new CallbackKeys(shared, new SecureRandom(), now::get);
        assertThat(keys.isSigned("job", "forged")).isFalse();
        var signature = new CallbackKeys(shared, new SecureRandom(), now::get).sign("job");
        assertThat(keys.isSigned("job", signature)).isFalse();
        now.updateAndGet(instant -> instant.plusSeconds(1));
        assertThat(keys.isSigned("job", signature)).isTrue();
        assertThat(keys.isSigned("job", "forged")).isFalse();
        assertThat(keys.isSigned("job", signature)).isTrue();
    }
}
