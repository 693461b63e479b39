// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import io.longhaul.cli.answer.ToolArguments;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.text.JsonText;
import io.longhaul.client.RemoteTasks;
import io.longhaul.file.text.SimilarWord;
import io.longhaul.protocol.call.CallResponse.Question;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers a question of a task from a command line. */
final class TaskAnswer {
    static final Option JSON = Option.valued(
                    "--json", "'{...}'", "the whole content as one JSON object; field=value adds to it")
            .of("answer");
    static final Option DECLINE =
            Option.flag("--decline", "decline the question").of("answer");

    private static final String YES = "yes";
    private static final String NO = "no";
    private static final Set<String> YES_OR_NO = Set.of(YES, NO);

    private TaskAnswer() {}

    /** Sends the answer, and gives the id of the task. */
    static String send(RemoteTasks tasks, NamedTask meant, Arguments arguments) {
        var id = meant.id();
        var words = meant.rest();
        var task = tasks.get(id);
        if (TaskText.ENDED.contains(task.status().state())) {
            throw new UsageException("the task has ended: it asks nothing.");
        }
        var open = task.inputs();
        boolean hasKey = !words.isEmpty()
                && !words.getFirst().contains("=")
                && (open.containsKey(words.getFirst()) || !YES_OR_NO.contains(words.getFirst()));
        var key = hasKey ? words.getFirst() : onlyKey(open);
        var question = open.get(key);
        if (question == null) {
            throw new UsageException("the task asks nothing under \"" + key + "\". " + openQuestions(open));
        }
        tasks.answer(
                id,
                Map.of(key, JsonText.json(response(question, words.subList(hasKey ? 1 : 0, words.size()), arguments))));
        return id;
    }

    private static JsonNode response(Question question, List<String> words, Arguments arguments) {
        if (arguments.has(DECLINE)) {
            return JsonText.object().put("action", "decline");
        }
        var schema = JsonText.tree(question.params()).path("requestedSchema");
        boolean isForm = question.method().equals("elicitation/create");
        if (isForm && schema.path("properties").isEmpty()) {
            return yesOrNo(words);
        }
        var content = ToolArguments.of(words, arguments.value(JSON), schema);
        if (!isForm) {
            return content;
        }
        expectFields(content, schema.path("properties"));
        return accepted(content);
    }

    private static ObjectNode accepted(ObjectNode content) {
        var response = JsonText.object().put("action", "accept");
        response.set("content", content);
        return response;
    }

    /** The answer to a question without fields. No word is no answer: consent is never taken for granted. */
    private static ObjectNode yesOrNo(List<String> words) {
        if (words.size() != 1 || !YES_OR_NO.contains(words.getFirst())) {
            throw new UsageException("the question asks for yes or no. Write yes or no behind the id.");
        }
        return words.getFirst().equals(YES)
                ? accepted(JsonText.object())
                : JsonText.object().put("action", "decline");
    }

    /** Refuses a field that was not asked for: a mistake, and an answer without the intended field would be final. */
    private static void expectFields(ObjectNode content, JsonNode asked) {
        for (var name : content.propertyNames()) {
            if (!asked.has(name)) {
                throw new UsageException("the question has no field \"" + name + "\". "
                        + (asked.isEmpty() ? "It has none." : SimilarWord.advice(name, asked.propertyNames())));
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
