// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.question;

import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonMembers;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The questions of a tool that are known before a call, by their keys. Immutable.
 *
 * @param first       the questions to answer before the work begins
 * @param mayAskFirst whether the work may ask questions of its own before it begins
 * @param asArguments forms whose answers a call can bring as an argument named by the key; a caller that can neither be
 *                    asked nor have a task must bring them
 */
public record ToolQuestions(Map<String, Question> first, boolean mayAskFirst, Map<String, Question> asArguments) {

    /** The questions of a tool that asks nothing before its work, and takes no answers as arguments. */
    public static final ToolQuestions NONE = new ToolQuestions(Map.of(), false, Map.of());

    private static final String INPUT = "inputSchema";
    private static final String REQUIRED = "required";
    private static final String FORM = "requestedSchema";

    public ToolQuestions {
        first = Collections.unmodifiableMap(new LinkedHashMap<>(first));
        asArguments = Collections.unmodifiableMap(new LinkedHashMap<>(asArguments));
    }

    /** The definition of the tool, with one more required argument for each question in {@code asArguments}. */
    public Json withArguments(Json definition) {
        if (asArguments.isEmpty()) {
            return definition;
        }
        var members = JsonReader.members(definition);
        var out = JsonWriter.object(definition.size() + 512);
        members.asMap().forEach((name, value) -> out.member(name, name.equals(INPUT) ? widened(value) : value));
        return out.end();
    }

    private Json widened(Json schema) {
        var members = JsonReader.members(schema);
        var out = JsonWriter.object(schema.size() + 512);
        members.asMap().forEach((name, value) -> {
            if (!name.equals("properties") && !name.equals(REQUIRED)) {
                out.member(name, value);
            }
        });
        out.name("properties").beginObject();
        Json properties = members.get("properties");
        if (properties != null) {
            out.members(properties);
        }
        asArguments.forEach((key, question) -> out.member(key, argument(question)));
        out.endObject().name(REQUIRED).beginArray();
        Json required = members.get(REQUIRED);
        if (required != null) {
            JsonReader.elements(required).forEach(out::raw);
        }
        asArguments.keySet().forEach(out::string);
        return out.endArray().end();
    }

    private static Json argument(Question question) {
        var params = JsonReader.members(question.params());
        var schema = JsonReader.members(form(params));
        var out = JsonWriter.object();
        schema.asMap().forEach((name, value) -> {
            if (!name.equals("description")) {
                out.member(name, value);
            }
        });
        String message = params.text("message");
        return out.member(
                        "description",
                        "Ask your user, and never make up an answer: " + (message == null ? "" : message))
                .end();
    }

    private static Json form(JsonMembers params) {
        Json schema = params.get(FORM);
        return schema == null ? Json.EMPTY_OBJECT : schema;
    }

    /** The arguments of a call without the answers among them. */
    public Json withoutAnswers(Json arguments) {
        return asArguments.isEmpty() || arguments.kind() != Json.Kind.OBJECT
                ? arguments
                : JsonWriter.object(arguments.size())
                        .membersBut(asArguments.keySet(), JsonReader.members(arguments))
                        .end();
    }

    /**
     * The answers among a call's arguments, by the keys of their questions: each in the form of a client's answer. A
     * null is no answer.
     */
    public Map<String, Json> answers(Json arguments) {
        if (asArguments.isEmpty() || arguments.kind() != Json.Kind.OBJECT) {
            return Map.of();
        }
        var members = JsonReader.members(arguments);
        Map<String, Json> answers = new LinkedHashMap<>();
        for (String key : asArguments.keySet()) {
            Json content = members.get(key);
            if (content != null && content.kind() != Json.Kind.NULL) {
                var answer = JsonWriter.object().member("action", "accept");
                answers.put(key, answer.member("content", content).end());
            }
        }
        return answers;
    }

    /**
     * The error in arguments that contain answers although the user can be asked: a model, which may have been
     * manipulated, must not answer in the user's place.
     */
    public Optional<String> unasked(Json arguments) {
        var keys = answers(arguments).keySet().iterator();
        return keys.hasNext()
                ? Optional.of("the argument \"" + keys.next() + "\": leave it out, and the user is asked")
                : Optional.empty();
    }

    /** The error in the answers among the arguments of a call, in words for a model. */
    public Optional<String> problem(Json arguments) {
        for (var answer : answers(arguments).entrySet()) {
            Question question = asArguments.get(answer.getKey());
            var problem =
                    question == null ? Optional.<String>empty() : QuestionKinds.problem(question, answer.getValue());
            if (problem.isPresent()) {
                return Optional.of("the argument \"" + answer.getKey() + "\": " + problem.get());
            }
        }
        return Optional.empty();
    }

    /**
     * The message to the model where a call lacks answers and its user cannot be asked; empty where none is missing.
     */
    public Optional<String> missing(Json arguments) {
        var open = new LinkedHashMap<>(asArguments);
        open.keySet().removeAll(answers(arguments).keySet());
        return open.entrySet().stream().findFirst().map(question -> {
            var params = JsonReader.members(question.getValue().params());
            return "Nothing was run: this needs an answer of your user. Ask your user: " + params.text("message")
                    + "\nThen make the call again with the answer as the argument \"" + question.getKey()
                    + "\", an object that fits this JSON Schema: " + form(params)
                    + "\nNever make up an answer. Where your user refuses, do not make the call.";
        });
    }
}
