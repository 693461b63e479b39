// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.backend.temporal.request.WorkflowCalls;
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
 * Reports the progress of a workflow to its task, and asks the caller of the task: for the code of workflows, in a
 * worker.
 *
 * <p>A workflow creates an instance in a field, or before all other code. The instance is deterministic and changes no
 * history: each replay rebuilds its state. The instance answers one query and takes one signal, as a worker in another
 * language can.
 */
public final class LonghaulWorkflow {

    private static final int MOST_LINES = 1_000;
    private static final int LOOK_LENGTH = 256 << 10;

    /**
     * The answer of a caller.
     *
     * @param action  {@code accept}, {@code decline} or {@code cancel}
     * @param content the values by the names of the schema; empty unless the answer is accepted
     */
    public record Answer(String action, Map<String, Object> content) {

        /** Whether the caller has accepted and answered. */
        public boolean isAccepted() {
            return action.equals("accept");
        }
    }

    /** Called by the SDK. */
    public interface Handlers {

        /** The reports of the workflow, without lines and pieces up to the known numbers. */
        @QueryMethod(name = WorkflowCalls.LOOK)
        Map<String, Object> look(Map<String, Object> known);

        /** Receives the answer to a question. */
        @SignalMethod(name = WorkflowCalls.ANSWER)
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

    /** The instance for the workflow whose code calls this method, once in each workflow. */
    public static LonghaulWorkflow create() {
        var longhaul = new LonghaulWorkflow();
        Workflow.registerListener(longhaul.new Handling());
        return longhaul;
    }

    /** Reports the progress, the total, and the present step. */
    public void progress(double current, double total, String step) {
        progress = Map.of("current", current, "total", total, "message", step);
    }

    /** Reports the present activity in words. */
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

    /** Reports a piece of partial output. All pieces stay in the memory of the worker. */
    public void emit(String text) {
        int number = parts.size() + 1;
        parts.add(new Numbered(number, Map.of("n", number, "text", text), text.length()));
    }

    /**
     * Asks the caller, and blocks the workflow until the answer comes or the workflow is cancelled.
     *
     * @param name   the name of the question, such as {@code publish}; a name that was used before gets a number behind
     *               it
     * @param text   the question
     * @param schema JSON Schema of the answer: an object of plain fields
     * @throws ApplicationFailure when the question cannot be asked, for example because of its schema or of the caller
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

    /** Limits the size of one answer to a look, so that Temporal accepts it. */
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
