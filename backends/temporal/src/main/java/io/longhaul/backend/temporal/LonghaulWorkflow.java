// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.Workflow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells the task of a workflow how far the workflow is, and asks its caller: for the code of workflows, in a worker.
 *
 * <p>A workflow creates one in a field or first of all. It is deterministic, and changes no history: what it knows
 * comes again with each replay. It answers one query and takes one signal, and a worker in another language does the
 * same.
 */
public final class LonghaulWorkflow {

    static final String LOOK = "longhaul_look";
    static final String ANSWER = "longhaul_answer";

    private static final int MOST_LINES = 1_000;
    private static final int LOOK_LENGTH = 256 << 10;

    /**
     * What a caller has answered.
     *
     * @param action  {@code accept}, {@code decline} or {@code cancel}
     * @param content by the names of the schema; empty where the answer is not accepted
     */
    public record Answer(String action, Map<String, Object> content) {

        /** Whether the caller has given an answer. */
        public boolean isAccepted() {
            return action.equals("accept");
        }
    }

    /** Called by the SDK. */
    public interface Handlers {

        /** What the workflow tells, but the lines and pieces up to the known numbers. */
        @QueryMethod(name = LOOK)
        Map<String, Object> look(Map<String, Object> known);

        /** Takes the answer to a question. */
        @SignalMethod(name = ANSWER)
        void answer(Map<String, Object> given);
    }

    private record Numbered(int number, Map<String, Object> fields, int length) {}

    private final Deque<Numbered> lines = new ArrayDeque<>();
    private final List<Numbered> parts = new ArrayList<>();
    private final Map<String, Map<String, Object>> questions = new LinkedHashMap<>();
    private final Map<String, Map<String, Object>> answers = new HashMap<>();
    private final Set<String> used = new HashSet<>();
    private @Nullable Map<String, Object> progress;
    private @Nullable String message;
    private int logged;

    private LonghaulWorkflow() {}

    /** Of the workflow whose code calls this, once in each. */
    public static LonghaulWorkflow create() {
        var longhaul = new LonghaulWorkflow();
        Workflow.registerListener(longhaul.new Handling());
        return longhaul;
    }

    /** How much is done, of how much, and what is done now. */
    public void progress(double current, double total, String step) {
        progress = Map.of("current", current, "total", total, "message", step);
    }

    /** What is done now, in words. */
    public void status(String text) {
        message = text;
    }

    /** Writes a line into the history of the task. The last 1,000 lines are kept until the task has them. */
    public void log(String text) {
        log("info", text);
    }

    /** As {@link #log(String)}, with a level of RFC 5424 in lower case. */
    public void log(String level, String text) {
        logged++;
        lines.add(new Numbered(logged, Map.of("n", logged, "level", level, "text", text), text.length()));
        if (lines.size() > MOST_LINES) {
            lines.remove();
        }
    }

    /** Hands out a piece of partial output. All pieces stay in the memory of the worker. */
    public void emit(String text) {
        int number = parts.size() + 1;
        parts.add(new Numbered(number, Map.of("n", number, "text", text), text.length()));
    }

    /**
     * Asks the caller, and blocks the workflow until the answer is there, or until the workflow is cancelled.
     *
     * @param name   of the question, such as {@code publish}; one that was used gets a number behind it
     * @param text   the question
     * @param schema of the answer: an object of plain fields as JSON Schema
     * @throws ApplicationFailure when it cannot be asked at all, such as for its schema
     */
    public Answer ask(String name, String text, String schema) {
        var id = unique(name);
        questions.put(id, Map.of("id", id, "message", text, "schema", schema));
        try {
            Workflow.await(() -> answers.containsKey(id));
        } finally {
            questions.remove(id);
        }
        var given = answers.get(id);
        if (given.get("error") != null) {
            throw ApplicationFailure.newNonRetryableFailure(String.valueOf(given.get("error")), "longhaul");
        }
        return answer(given.get("answer"));
    }

    private static Answer answer(@Nullable Object given) {
        var fields = given instanceof Map<?, ?> map ? map : Map.of();
        var content = new LinkedHashMap<String, Object>();
        if (fields.get("content") instanceof Map<?, ?> values) {
            values.forEach((field, value) -> content.put(String.valueOf(field), value));
        }
        var action = fields.get("action");
        return new Answer(action == null ? "cancel" : action.toString(), content);
    }

    private String unique(String name) {
        var id = name;
        for (int number = 2; !used.add(id); number++) {
            id = name + "-" + number;
        }
        return id;
    }

    private final class Handling implements Handlers {

        @Override
        public Map<String, Object> look(Map<String, Object> known) {
            var room = new Room();
            var told = new LinkedHashMap<String, Object>();
            if (progress != null) {
                told.put("progress", progress);
            }
            if (message != null) {
                told.put("message", message);
            }
            told.put("logs", room.of(lines, number(known, "logs")));
            told.put("parts", room.of(parts, number(known, "parts")));
            told.put("questions", List.copyOf(questions.values()));
            told.put("more", room.left <= 0);
            return told;
        }

        private static int number(Map<String, Object> known, String field) {
            return known.get(field) instanceof Number number ? number.intValue() : 0;
        }

        @Override
        public void answer(Map<String, Object> given) {
            answers.putIfAbsent(String.valueOf(given.get("id")), given);
        }
    }

    /** How much one look takes in, so that Temporal carries it. */
    private static final class Room {

        private int left = LOOK_LENGTH;

        List<Map<String, Object>> of(Iterable<Numbered> all, int known) {
            var taken = new ArrayList<Map<String, Object>>();
            for (var one : all) {
                if (one.number() > known && left > 0) {
                    left -= one.length() + 1;
                    taken.add(one.fields());
                }
            }
            return taken;
        }
    }
}
