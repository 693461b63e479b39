// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.call.CallerInfo;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Interceptors stand around each handler, and can refuse its call. */
class InterceptorsTest {

    private static final int QUOTA = -32050;

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final ThreadLocal<String> context = ThreadLocal.withInitial(() -> "none");
    private final CountDownLatch restarted = new CountDownLatch(1);
    private Served served = served((call, next) -> {
        context.set(call.context().caller().principal().name());
        seen.add("begins " + call.method() + " " + call.name() + " "
                + (call.context() instanceof TaskContext task ? task.attempt() : "at once"));
        try {
            seen.add("ended " + next.proceed());
        } catch (Exception e) {
            seen.add("threw " + e.getMessage());
            throw e;
        } finally {
            context.remove();
        }
    });

    private Served served(CallInterceptor... interceptors) {
        return Served.with(
                server -> server.intercept(interceptors)
                        .prompt(Prompt.define("p")
                                .handler((none, call) -> List.of(PromptMessage.user("for " + context.get()))))
                        .resource(Resource.define("r://r").handler((request, call) -> "for " + context.get())),
                Tool.define("quick").handler((none, call) -> "for " + context.get()),
                Tool.define("slow").longRunning().handler((none, task) -> "for " + context.get()),
                Tool.define("fails").handler((none, call) -> ToolResult.error("no")),
                Tool.define("throws").longRunning().handler((none, task) -> {
                    throw new McpException(-32001, "broken");
                }),
                Tool.define("job").longRunning().backend(this::job),
                Tool.define("lasts")
                        .longRunning(task -> task.onCrash(CrashPolicy.RESTART))
                        .handler((none, task) -> {
                            if (task.attempt() == 1) {
                                restarted.await();
                            }
                            return "for " + context.get();
                        }));
    }

    private Outcome job(Run run) {
        var text = "{\"content\":[{\"type\":\"text\",\"text\":\"for " + context.get() + "\"}]}";
        return new Outcome.Result(Payload.of(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)), false);
    }

    @AfterEach
    void close() {
        served.close();
    }

    private JsonNode call(String tool) {
        return served.handshake("2025-11-25").ask("tools/call", Served.call(tool, "{}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"quick", "slow", "job"})
    void a_handler_finds_on_its_thread_what_an_interceptor_has_put_there(String tool) {
        assertThat(call(tool).toString()).contains("for alice");
        assertThat(seen)
                .containsExactly(
                        "begins tools/call " + tool + (tool.equals("quick") ? " at once" : " 1"), "ended RESULT");
    }

    @Test
    void handlers_of_prompts_and_resources_are_intercepted_too() {
        var session = served.handshake("2025-11-25");
        assertThat(session.ask("prompts/get", "{\"name\":\"p\"}").toString()).contains("for alice");
        assertThat(session.ask("resources/read", "{\"uri\":\"r://r\"}").toString())
                .contains("for alice");
        assertThat(seen).contains("begins prompts/get p at once", "begins resources/read r://r at once");
    }

    @Test
    void an_interceptor_learns_how_the_handler_ended() {
        call("fails");
        call("throws");
        assertThat(seen).contains("ended TOOL_ERROR", "threw broken");
    }

    @Test
    void each_attempt_of_a_task_is_intercepted() {
        var session = served.handshake("2025-11-25");
        String task = session.task("lasts");
        while (!seen.contains("begins tools/call lasts 1")) {
            Thread.onSpinWait();
        }
        served.restart();
        restarted.countDown();
        assertThat(session.ask("tasks/result", taskId(task)).toString()).contains("for alice");
        assertThat(seen).contains("begins tools/call lasts 1", "begins tools/call lasts 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"quick", "slow", "job"})
    void an_interceptor_refuses_a_call_by_throwing_and_the_handler_does_not_run(String tool) {
        serve((call, next) -> {
            throw new McpException(QUOTA, "No more today");
        });
        assertThat(call(tool).at("/error/message").asString()).isEqualTo("No more today");
        serve((call, next) -> {
            throw new ToolException("Try tomorrow");
        });
        assertThat(call(tool).at("/result/isError").asBoolean()).isTrue();
    }

    private void serve(CallInterceptor... interceptors) {
        served.close();
        served = served(interceptors);
    }

    @Test
    void interceptors_are_passed_in_their_order() {
        serve((call, next) -> note("first", next), (call, next) -> note("second", next));
        assertThat(call("quick").toString()).contains("for none");
        assertThat(seen).containsExactly("first in", "second in", "second out", "first out");
    }

    @Test
    void steps_and_questions_of_a_handler_pass_interceptors() {
        served.close();
        var around = new CallInterceptor() {
            @Override
            public void around(HandledCall call, Next next) throws Exception {
                next.proceed();
            }

            @Override
            public <T, X extends Exception> T during(HandledCall call, Part part, Action<T, X> action) throws X {
                seen.add(call.name() + " begins " + part);
                T done = action.run();
                seen.add("ended " + part);
                return done;
            }
        };
        served = Served.with(
                server -> server.intercept(around),
                Tool.define("steps").longRunning().handler((none, task) -> task.step("load", String.class, () -> "a")),
                Tool.define("asks").handler((none, task) -> Tools.askName(task)));
        call("steps");
        assertThat(seen).containsExactly("steps begins Step[name=load]", "ended Step[name=load]");
        seen.clear();
        var session = served.handshake("2025-11-25");
        var reply = session.send("tools/call", Served.call("asks", "{}"));
        var question = Served.json(reply.nextMessage());
        assertThat(seen).containsExactly("asks begins Questions[methods=[elicitation/create]]");
        session.answer(question, "{\"action\":\"decline\"}");
        reply.response();
        assertThat(seen).contains("ended Questions[methods=[elicitation/create]]");
    }

    private void note(String name, CallInterceptor.Next next) throws Exception {
        seen.add(name + " in");
        next.proceed();
        seen.add(name + " out");
    }

    @Test
    void an_interceptor_that_forgets_the_handler_or_runs_it_twice_is_an_internal_error_without_text() {
        serve((call, next) -> {});
        assertThat(call("quick").at("/error/code").asInt()).isEqualTo(-32603);
        serve((call, next) -> {
            next.proceed();
            next.proceed();
        });
        assertThat(call("quick").at("/error").toString()).contains("-32603").doesNotContain("proceed");
    }

    @Test
    void a_caller_without_a_quota_creates_nothing_in_any_generation() {
        serve(new CallInterceptor() {
            @Override
            public void around(HandledCall call, Next next) throws Exception {
                next.proceed();
            }

            @Override
            public void admit(CallerInfo caller, String tool) {
                if (tool.equals("slow") && caller.principal().equals(Served.ALICE)) {
                    throw new McpException(QUOTA, "No more today");
                }
            }
        });
        String slow = Served.call("slow", "{}");
        var session = served.handshake("2025-11-25");
        for (String params : List.of(slow, Served.and(slow, "\"task\":{}"))) {
            assertThat(session.ask("tools/call", params).at("/error/code").asInt())
                    .isEqualTo(QUOTA);
        }
        assertThat(served.stateless(Served.TASKS)
                        .ask("tools/call", slow)
                        .at("/error/code")
                        .asInt())
                .isEqualTo(QUOTA);
        var draft = served.handshake("2025-06-18");
        assertThat(draft.send("tools/async/call", slow).response()).contains("No more today");
        var chosen = Served.and(slow, "\"_meta\":{\"modelcontextprotocol.io/task\":{\"taskId\":\"mine\"}}");
        assertThat(draft.send("tools/call", chosen).response()).contains("No more today");
        assertThat(session.ask("tasks/list", "{}").at("/result/tasks")).isEmpty();
        assertThat(served.handshake("2025-11-25", Served.BOB).task("slow")).isNotEmpty();
        assertThat(session.ask("tools/call", Served.call("quick", "{}")).toString())
                .contains("for none");
    }
}
