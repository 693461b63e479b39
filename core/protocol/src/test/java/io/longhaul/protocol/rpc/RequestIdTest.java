// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestIdTest {

    @Test
    void ids_are_the_same_by_kind_and_value() {
        var one = new RequestId.Number(1);
        assertThat(one).isEqualTo(new RequestId.Number(1)).hasSameHashCodeAs(new RequestId.Number(1));
        assertThat(one).isNotEqualTo(new RequestId.Number(2)).isNotEqualTo(new RequestId.Text("1"));
    }
}
