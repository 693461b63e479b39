// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import org.junit.jupiter.api.Test;

class ToolResultTest {

    @Test
    void a_result_is_an_error_where_it_says_so_itself() {
        assertThat(isError("{\"content\":[],\"isError\":true}")).isTrue();
        assertThat(isError("{\"content\":[],\"isError\":false}")).isFalse();
        assertThat(isError("{\"content\":[{\"type\":\"text\",\"text\":\"\\\"isError\\\":true\"}]}"))
                .isFalse();
        assertThat(isError("{\"structuredContent\":{\"isError\":true}}")).isFalse();
    }

    private static boolean isError(String result) {
        return new CallResponse.ToolResult(Json.raw(result)).isError();
    }
}
