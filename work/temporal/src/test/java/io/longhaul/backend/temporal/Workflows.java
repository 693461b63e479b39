// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.temporal.activity.Activity;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The workflows of tests. */
final class Workflows {

    static final Class<?>[] TYPES = {HoldImpl.class, TalkImpl.class, EndImpl.class, BeatImpl.class, SeveralImpl.class};

    private static final String SCHEMA =
            "{\"type\":\"object\",\"properties\":{\"where\":{\"type\":\"string\"}},\"required\":[\"where\"]}";

    private Workflows() {}

    /** Runs until it is told to end. */
    @WorkflowInterface
    public interface Hold {
        @WorkflowMethod
        Map<String, Object> hold(Map<String, Object> arguments);

        @SignalMethod
        void end();
    }

    public static final class HoldImpl implements Hold {
        private boolean isEnded;

        @Override
        public Map<String, Object> hold(Map<String, Object> arguments) {
            Workflow.await(() -> isEnded);
            return arguments;
        }

        @Override
        public void end() {
            isEnded = true;
        }
    }

    /** Tells of itself, asks, and goes on as another run as often as it is told. */
    @WorkflowInterface
    public interface Talk {
        @WorkflowMethod
        String talk(Map<String, Object> arguments);
    }

    public static final class TalkImpl implements Talk {
        private final LonghaulWorkflow longhaul = LonghaulWorkflow.create();

        @Override
        public String talk(Map<String, Object> arguments) {
            int runs = ((Number) arguments.getOrDefault("runs", 0)).intValue();
            longhaul.progress(1, 2, "asks");
            longhaul.status("asking, " + runs + " to go");
            longhaul.log("warning", "line of " + runs);
            longhaul.emit("piece of " + runs);
            var answer = longhaul.ask("where", "Where to?", String.valueOf(arguments.getOrDefault("schema", SCHEMA)));
            var place = answer.isAccepted() ? answer.content().get("where") : answer.action();
            longhaul.log("going to " + place);
            longhaul.emit("piece behind " + runs);
            if (runs > 0) {
                var next = new LinkedHashMap<>(arguments);
                next.put("runs", runs - 1);
                Workflow.continueAsNew(next);
            }
            return "went to " + place;
        }
    }

    /** Runs an activity that has a heartbeat, and reports progress of its own where it is told to. */
    @WorkflowInterface
    public interface Beat {
        @WorkflowMethod
        String beat(Map<String, Object> arguments);
    }

    public static final class BeatImpl implements Beat {
        @Override
        public String beat(Map<String, Object> arguments) {
            if (Boolean.TRUE.equals(arguments.get("tells"))) {
                LonghaulWorkflow.create().progress(1, 2, "runs an activity");
            }
            return Workflow.newActivityStub(
                            Pages.class,
                            ActivityOptions.newBuilder()
                                    .setStartToCloseTimeout(Duration.ofMinutes(5))
                                    .setHeartbeatTimeout(Duration.ofMinutes(2))
                                    .build())
                    .print();
        }
    }

    @ActivityInterface
    public interface Pages {
        String print();
    }

    /**
     * Prints a page, says so by its heartbeat, and waits.
     *
     * @param end when the activity ends
     */
    record PagesUntil(CompletableFuture<Void> end) implements Pages {
        @Override
        public String print() {
            Activity.getExecutionContext().heartbeat(Map.of("current", 3, "total", 10, "message", "page 3"));
            end.join();
            return "printed";
        }
    }

    /** Has several arguments. */
    @WorkflowInterface
    public interface Several {
        @WorkflowMethod
        String several(String quarter, Integer rows, List<String> kinds);
    }

    public static final class SeveralImpl implements Several {
        @Override
        public String several(String quarter, Integer rows, List<String> kinds) {
            return quarter + " " + rows + " " + kinds;
        }
    }

    /** Ends as it is told. */
    @WorkflowInterface
    public interface End {
        @WorkflowMethod
        Object end(Map<String, Object> arguments);
    }

    public static final class EndImpl implements End {
        @Override
        public Object end(Map<String, Object> arguments) {
            return switch (String.valueOf(arguments.get("how"))) {
                case "fail" -> throw ApplicationFailure.newFailure("no rows in " + arguments.get("what"), "Empty");
                case "text" -> "a text";
                case "bytes" -> new byte[] {0, 1};
                case "list" -> List.of(1, 2);
                case "wait" -> {
                    Workflow.await(() -> false);
                    yield "";
                }
                case "stubborn" -> {
                    Workflow.newDetachedCancellationScope(() -> Workflow.await(() -> false))
                            .run();
                    yield "";
                }
                default -> null;
            };
        }
    }
}
