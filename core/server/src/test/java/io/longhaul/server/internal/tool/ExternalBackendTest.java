// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.feature.Features;
import io.longhaul.receiver.question.ToolQuestions;
import io.longhaul.receiver.tool.ServedTool;
import io.longhaul.server.internal.call.CallableTools;
import io.longhaul.server.internal.call.Interceptors;
import io.longhaul.server.internal.codec.ResultCodec;
import io.longhaul.server.internal.schema.Defaults;
import io.longhaul.testkit.RunInMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A backend gets the arguments with their defaults, whatever is asked of it. */
class ExternalBackendTest {

    private static final String SCHEMA =
            "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"default\":1}}}";

    private final List<String> seen = new ArrayList<>();

    private final Backend backend = new Backend() {
        @Override
        public Outcome run(Run run) {
            seen.add("run " + run.spec().request().text());
            run.progress(new Progress(1, 2.0, null));
            run.status("said");
            run.log("info", null, Payload.ofText("logged"));
            run.partial(Payload.ofText("piece"));
            run.saveHandle(Payload.ofText("handle"));
            return new Outcome.Cancelled(run.handle().orElseThrow().text());
        }

        @Override
        public void stop(Run run) {
            seen.add("stop " + run.spec().request().text());
        }

        @Override
        public Outcome timedOut(Run run, Outcome.Failed end) {
            seen.add("timedOut " + run.spec().request().text());
            return end;
        }

        @Override
        public @Nullable String cancelled(Run run, @Nullable String reason) {
            seen.add("cancelled " + run.spec().request().text());
            return reason;
        }
    };

    @Test
    void it_runs_stops_and_ends_with_the_same_arguments() throws Exception {
        var options = new TaskOptions(
                new TaskOptions.Running(
                        null, null, new Work.Bounds(null, 1), null, TaskOptions.Retries.NEVER, List.of()),
                false,
                new TaskOptions.Told(null, Integer.MAX_VALUE),
                ServedTool.Parts.DEFAULT,
                ServedTool.Plain.DEFAULT,
                new TaskOptions.Questions(List.of(), false, List.of()));
        var tool = new ToolSpec(
                "job",
                Json.EMPTY_OBJECT,
                Set.of(),
                new ToolInput(SCHEMA, JsonNode.class, new Defaults(SCHEMA), false),
                new ResultCodec("job", null),
                new ToolSpec.Lasting(new ToolSpec.Worker.External(calls -> backend), options, null, null));
        var tools = new CallableTools(new Features().tools(), TaskLimits.DEFAULT);
        var filled = new ExternalBackend(tool, ToolQuestions.NONE, backend, tools, new Interceptors());
        for (var given : List.of("{}", "{\"n\":null}", "{\"n\":1}")) {
            seen.clear();
            var run = new RunInMemory(given);
            assertThat(filled.run(run)).isEqualTo(new Outcome.Cancelled("handle"));
            filled.stop(run);
            filled.timedOut(run, new Outcome.Failed(FailureReason.TIMED_OUT, "late"));
            assertThat(filled.cancelled(run, "why")).isEqualTo("why");
            assertThat(seen)
                    .containsExactly("run {\"n\":1}", "stop {\"n\":1}", "timedOut {\"n\":1}", "cancelled {\"n\":1}");
            assertThat(run.progress).containsExactly(new Progress(1, 2.0, null));
            assertThat(run.messages).containsExactly("said");
            assertThat(run.logs).containsExactly("logged");
            assertThat(run.pieces).containsExactly("piece");
        }
    }
}
