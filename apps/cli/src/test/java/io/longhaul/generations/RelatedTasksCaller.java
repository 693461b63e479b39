// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static io.longhaul.testkit.talk.Messages.json;

import io.longhaul.testkit.talk.Talk;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A generation of {@code tasks/*} whose messages name their task in {@code _meta}. */
abstract class RelatedTasksCaller extends Caller {

    private final String related;

    /** @param related the member of {@code _meta} that names a task */
    RelatedTasksCaller(Talk talk, String version, String related) {
        super(talk.open(version, "{'elicitation':{}}"), "tools/call");
        this.related = related;
    }

    @Override
    final boolean isOf(Ref call, JsonNode named) {
        return named.path("_meta").path(related).path("taskId").asString("").equals(call.id());
    }

    /** The same response, where it names the task that was asked about. */
    final JsonNode checked(Ref call, JsonNode response) {
        if (response.has("result") && !isOf(call, response.path("result"))) {
            throw new AssertionError("the result does not name its task: " + response);
        }
        return response;
    }

    @Override
    final void answer(Ref call, Question question, ObjectNode result) {
        result.set("_meta", json("{'%s':{'taskId':'%s'}}", related, call.id()));
        talk.answer(question.id(), result);
    }

    @Override
    final List<String> list() {
        return talk.ask("tasks/list", json("{}")).path("result").path("tasks").findValuesAsString("taskId");
    }
}
