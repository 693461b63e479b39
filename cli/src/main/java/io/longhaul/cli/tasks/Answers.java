// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.UsageException;
import io.longhaul.cli.call.JsonText;
import io.longhaul.cli.call.ToolArguments;
import io.longhaul.cli.config.Nearest;
import io.longhaul.client.RemoteTasks;
import io.longhaul.protocol.call.Answer.Question;
import io.longhaul.protocol.call.TaskView;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers a question of a task from a command line. */
final class Answers {
    private Answers() {}

    /** Sends the answer, and reads the task again. */
    static TaskView send(RemoteTasks tasks, Meant meant, Arguments arguments) {
        var id = meant.id();
        var words = meant.rest();
        boolean hasKey = !words.isEmpty() && !words.getFirst().contains("=");
        var open = tasks.get(id).inputs();
        var key = hasKey ? words.getFirst() : onlyKey(open);
        var question = open.get(key);
        if (question == null) {
            throw new UsageException("the task asks nothing under \"" + key + "\". " + openQuestions(open));
        }
        tasks.answer(
                id,
                Map.of(key, JsonText.json(response(question, words.subList(hasKey ? 1 : 0, words.size()), arguments))));
        return tasks.get(id);
    }

    private static JsonNode response(Question question, List<String> pairs, Arguments arguments) {
        if (arguments.has("--decline")) {
            return JsonText.object().put("action", "decline");
        }
        var schema = JsonText.tree(question.params()).path("requestedSchema");
        var content = ToolArguments.of(pairs, arguments.value("--json"), schema);
        if (!question.method().equals("elicitation/create")) {
            return content;
        }
        expectFields(content, schema.path("properties"));
        var response = JsonText.object().put("action", "accept");
        response.set("content", content);
        return response;
    }

    /** Refuses a field that was not asked for: a mistake, and an answer without the intended field would be final. */
    private static void expectFields(ObjectNode content, JsonNode asked) {
        for (var name : content.propertyNames()) {
            if (!asked.has(name)) {
                throw new UsageException("the question has no field \"" + name + "\". "
                        + (asked.isEmpty() ? "It has none." : Nearest.advice(name, asked.propertyNames())));
            }
        }
    }

    private static String onlyKey(Map<String, Question> open) {
        if (open.size() != 1) {
            throw new UsageException(openQuestions(open) + (open.isEmpty() ? "" : " Name one behind the id."));
        }
        return open.keySet().iterator().next();
    }

    private static String openQuestions(Map<String, Question> open) {
        return open.isEmpty()
                ? "The task has no open question that this revision of the protocol tells."
                : "Open are: " + String.join(", ", open.keySet()) + ".";
    }
}
