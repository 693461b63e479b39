// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeaseTest {

    @Test
    void leases_are_the_same_by_node_and_epoch() {
        var lease = new Lease("node", 1);
        assertThat(lease).isEqualTo(new Lease("node", 1)).hasSameHashCodeAs(new Lease("node", 1));
        assertThat(lease).isNotEqualTo(new Lease("node", 2)).isNotEqualTo(new Lease("other", 1));
    }
}
