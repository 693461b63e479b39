// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example {@code deep-research}. */
class DeepResearchTest {

    private static final QuestionHandler PERSON_AND_MODEL = QuestionHandler.NONE
            .forms(form -> new Reply.Accepted(Json.raw("{\"depth\":\"THOROUGH\"}")))
            .sampling(DeepResearchTest::model);

    @TempDir
    Path folder;

    @Test
    void a_report_whose_server_is_killed_has_the_same_sections() throws Exception {
        var killed =
                new KilledExample(ShownCall.of("deep-research"), 1, own -> own, PERSON_AND_MODEL, own -> "nothing");
        var end = killed.endsAlike(folder, Generation.V2026_07_28, Generation.V2025_11_25);
        assertThat(end.result())
                .startsWith("{documents=12, depth=THOROUGH, text=## Why did the first cable across the Atlantic fail?")
                .contains("The model says: The first cable across the Atlantic, in 1858, worked for about three weeks.")
                .contains("## What makes a network go on when parts are lost?")
                .contains("From: packet-networks");
    }

    /** Says the first sentence of the first passage. */
    private static Json model(Json params) {
        var prompt = JsonTree.read(params).path("messages").path(0).path("content");
        var text = (prompt.isArray() ? prompt.path(0) : prompt).path("text").asString();
        var passages = text.substring(text.indexOf("] ") + 2);
        var answer = JsonTree.object().put("role", "assistant").put("model", "first-sentence");
        answer.putObject("content")
                .put("type", "text")
                .put("text", "The model says: " + passages.substring(0, passages.indexOf(". ") + 1));
        return JsonTree.write(answer);
    }
}
