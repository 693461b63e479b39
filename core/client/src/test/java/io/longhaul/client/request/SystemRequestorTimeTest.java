// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SystemRequestorTimeTest {

    private static final int RANDOM = 4;

    @Test
    void ids_are_random_uuids_and_differ() {
        var ids =
                Stream.generate(SystemRequestorTime.INSTANCE::newId).limit(100).toList();
        assertThat(ids)
                .doesNotHaveDuplicates()
                .allSatisfy(id -> assertThat(UUID.fromString(id).version()).isEqualTo(RANDOM));
    }
}
