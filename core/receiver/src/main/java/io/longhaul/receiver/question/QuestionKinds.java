// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.question;

import io.longhaul.engine.task.InputRequest;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.ClientProfile.SamplingExtras;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.json.ParamsException;
import io.longhaul.schema.SchemaCheck;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The kinds of questions: which capability each needs, and which answers are valid. */
public final class QuestionKinds {

    public static final String ELICIT = "elicitation/create";
    public static final String SAMPLE = "sampling/createMessage";
    public static final String ROOTS = "roots/list";

    private QuestionKinds() {}

    /** The capabilities that a question needs and {@code declared} lacks; null where {@code declared} has all. */
    public static @Nullable Capabilities missing(Question question, Capabilities declared) {
        Capabilities missing = without(needed(question), declared);
        return missing.equals(Capabilities.NONE) ? null : missing;
    }

    private static Capabilities needed(Question question) {
        boolean url = isUrl(question);
        return switch (question.method()) {
            case ELICIT -> new Capabilities(!url, url, false, false, false);
            case SAMPLE -> new Capabilities(false, false, true, false, false, extras(question));
            case ROOTS -> new Capabilities(false, false, false, true, false);
            default -> Capabilities.NONE;
        };
    }

    private static SamplingExtras extras(Question question) {
        var params = JsonReader.members(question.params());
        Json context = params.get("includeContext");
        return new SamplingExtras(
                params.get("tools") != null || params.get("toolChoice") != null,
                context != null && !JsonReader.text(context).equals("none"));
    }

    private static Capabilities without(Capabilities needed, Capabilities declared) {
        return new Capabilities(
                needed.form() && !declared.form(),
                needed.url() && !declared.url(),
                needed.sampling() && !declared.sampling(),
                needed.roots() && !declared.roots(),
                false,
                new SamplingExtras(
                        needed.more().tools() && !declared.more().tools(),
                        needed.more().context() && !declared.more().context()));
    }

    /** The questions that a task keeps, by their keys. */
    public static Map<String, Question> of(List<InputRequest> stored) {
        Map<String, Question> questions = new LinkedHashMap<>();
        stored.forEach(input -> questions.put(input.key(), of(input)));
        return questions;
    }

    public static Question of(InputRequest stored) {
        return new Question(stored.method(), Json.raw(stored.params().bytes()));
    }

    /** The error in the responses to questions, by their keys; responses to other questions are ignored. */
    public static Optional<String> problem(Map<String, Question> questions, Map<String, Json> responses) {
        for (var question : questions.entrySet()) {
            Json response = responses.get(question.getKey());
            var problem = response == null ? Optional.<String>empty() : problem(question.getValue(), response);
            if (problem.isPresent()) {
                return Optional.of("inputResponses." + question.getKey() + ": " + problem.get());
            }
        }
        return Optional.empty();
    }

    /** The error in an answer, in words for its sender; empty where the answer is valid. */
    public static Optional<String> problem(Question question, Json answer) {
        if (answer.kind() != Json.Kind.OBJECT) {
            return Optional.of("must be an object");
        }
        try {
            return switch (question.method()) {
                case ELICIT -> form(question, Params.of("answer", answer));
                case SAMPLE -> sampling(Params.of("answer", answer));
                case ROOTS -> roots(Params.of("answer", answer));
                default -> Optional.empty();
            };
        } catch (ParamsException e) {
            return Optional.of(e.getMessage());
        }
    }

    private static Optional<String> form(Question question, Params answer) {
        String action = answer.string("action");
        if (action.equals("decline") || action.equals("cancel")) {
            return Optional.empty();
        }
        if (!action.equals("accept")) {
            return Optional.of("action must be accept, decline or cancel");
        }
        if (isUrl(question)) {
            return Optional.empty();
        }
        Json schema = JsonReader.members(question.params()).get("requestedSchema");
        Json content = isYesOrNo(question) && !answer.has("content") ? Json.EMPTY_OBJECT : answer.object("content");
        return schema == null
                ? Optional.empty()
                : SchemaCheck.ofForm(schema.toString()).problem(content).map(problem -> "content: " + problem);
    }

    private static Optional<String> sampling(Params answer) {
        answer.string("role");
        answer.string("model");
        return answer.has("content") ? Optional.empty() : Optional.of("content is missing");
    }

    private static Optional<String> roots(Params answer) {
        Json roots = answer.get("roots");
        if (roots == null || roots.kind() != Json.Kind.ARRAY) {
            return Optional.of("roots must be an array");
        }
        boolean files = JsonReader.elements(roots).stream()
                .map(root -> Params.of("roots", root).string("uri"))
                .allMatch(uri -> uri.startsWith("file://"));
        return files ? Optional.empty() : Optional.of("roots: each uri must be a file:// URI");
    }

    /** Whether a question is a form without fields, so that to accept or to decline it is the whole answer. */
    public static boolean isYesOrNo(Question question) {
        if (!question.method().equals(ELICIT) || isUrl(question)) {
            return false;
        }
        var schema = JsonReader.members(question.params()).object("requestedSchema");
        return schema.object("properties").names().isEmpty();
    }

    /** Whether a question is answered at a web address, and not in a form. */
    public static boolean isUrl(Question question) {
        return "url".equals(JsonReader.members(question.params()).text("mode"));
    }
}
