// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.toolsasync;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.CallResponse.ToolInfo;
import io.longhaul.protocol.json.Json;
import org.junit.jupiter.api.Test;

class PreferredToolsTest {

    @Test
    void a_definition_that_says_itself_how_it_is_best_called_is_listed_with_one_word_of_it() {
        var definition = "{\"name\":\"a\",\"annotations\":{\"preferAsync\":false,\"title\":\"A\"}}";
        var listed = new ToolsAsync().listed(new ToolInfo(Json.raw(definition), TaskMode.OPTIONAL));
        assertThat(listed.definition())
                .hasToString("{\"name\":\"a\",\"annotations\":{\"title\":\"A\",\"preferAsync\":true}}");
    }
}
