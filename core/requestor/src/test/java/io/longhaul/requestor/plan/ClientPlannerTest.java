// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Alias;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.dialect.ClientDialect.TaskOffer;
import io.longhaul.protocol.dialect.ClientDialect.ToolTerms;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.tasks20251125.HandshakeTasks;
import io.longhaul.protocol.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The tables of plans, as a page: {@code client-plans.md} beside the resources of the tests. */
class ClientPlannerTest {

    private static final Map<String, TaskOffer> OFFERS = ordered(
            Map.entry("tasks", new TaskOffer(true, true, true, false, false)),
            Map.entry("tasks and keys", new TaskOffer(true, true, true, true, true)),
            Map.entry("nothing", new TaskOffer(false, false, false, false, false)));

    /** A call of one column. */
    private record Column(ToolTerms.Usable tool, TaskChoice choice) {}

    private static final Map<String, Column> COLUMNS = ordered(
            Map.entry("no task", column(TaskMode.NEVER, false, true, null)),
            Map.entry("a task", column(TaskMode.OPTIONAL, false, true, null)),
            Map.entry("a task, always", column(TaskMode.REQUIRED, false, true, null)),
            Map.entry("a task, repeatable", column(TaskMode.OPTIONAL, true, true, null)),
            Map.entry("a task, wanted for 2 h", column(TaskMode.OPTIONAL, false, true, Duration.ofHours(2))),
            Map.entry("a task, refused for 2 h", column(TaskMode.OPTIONAL, false, false, Duration.ofHours(2))));

    @Test
    void servers_and_calls_are_dealt_with_as_the_page_says() throws IOException {
        var page = new ArrayList<>(List.of("# Plans of a client", "", "## Servers", ""));
        row(page, "generation", List.of("offer", "a long call", "requests", "broken streams", "tasks", "cancel"));
        row(page, "---", List.of("---", "---", "---", "---", "---", "---"));
        each((generation, offer) -> row(page, generation.label(), server(generation, offer)));
        page.addAll(List.of("", "## Calls, by what the tool may be", ""));
        row(
                page,
                "generation",
                Stream.concat(Stream.of("offer"), COLUMNS.keySet().stream()).toList());
        row(page, "---", List.of("---", "---", "---", "---", "---", "---", "---"));
        each((generation, offer) -> row(page, generation.label(), calls(generation, offer)));
        try (var in = ClientPlannerTest.class.getResourceAsStream("/client-plans.md")) {
            assertThat(String.join("\n", page) + "\n")
                    .isEqualTo(new String(Objects.requireNonNull(in).readAllBytes(), UTF_8));
        }
    }

    @Test
    void the_next_part_is_asked_for_by_its_token_alone_and_as_often_as_needed() {
        var plan = CallPlan.after(new PartToken("t", true, null));
        assertThat(words(plan)).isEqualTo("part after t, repeatable");
        var call = plan.call("report", Json.EMPTY_OBJECT, Json.raw("1"), "key", Call.Round.FIRST);
        assertThat(call.extras().creationKey()).isNull();
        assertThat(plan.mayBeTask()).isFalse();
    }

    @Test
    void every_other_call_has_its_key() {
        var plan = plan(Generation.V2026_07_28, "tasks", COLUMNS.get("no task"));
        var call = plan.call("report", Json.EMPTY_OBJECT, Json.raw("1"), "key", Call.Round.FIRST);
        assertThat(call.extras().creationKey()).isEqualTo("key");
    }

    @Test
    void a_question_that_its_server_makes_a_task_is_answered_with_the_task() {
        assertThat(ClientPlanner.answer(
                        new TaskWish.Terms(Created.BY_CALLER, Keep.From.CREATION, Duration.ofHours(1), null)))
                .isEqualTo(new AnswerPlan(true, null, new Keep(Keep.From.CREATION, Duration.ofHours(1))));
    }

    @Test
    void a_question_that_its_server_names_is_answered_with_the_outcome() {
        assertThat(ClientPlanner.answer(new TaskWish.Terms(
                        Created.BESIDE_RESPONSE, Keep.From.COMPLETION, null, new Alias("space", "mine"))))
                .isEqualTo(new AnswerPlan(false, "mine", new Keep(Keep.From.COMPLETION, AnswerPlan.LONGEST_KEPT)));
    }

    @Test
    void no_answer_is_kept_longer_than_the_longest_time() {
        var terms = new TaskWish.Terms(Created.BY_CALLER, Keep.From.CREATION, Duration.ofDays(9), null);
        assertThat(ClientPlanner.answer(terms).keep().time()).isEqualTo(AnswerPlan.LONGEST_KEPT);
    }

    @Test
    void a_cancelled_question_leaves_its_task_where_tasks_are_cancelled_by_their_ids() {
        var named = ClientDialects.of(Generation.SEP_1686).receiving().orElseThrow();
        assertThat(ClientPlanner.cancelsWithQuestion(named)).isTrue();
        assertThat(ClientPlanner.cancelsWithQuestion(new HandshakeTasks())).isFalse();
    }

    private interface Row {
        void of(Generation generation, String offer);
    }

    private static void each(Row row) {
        ClientDialects.spoken().forEach(generation -> OFFERS.keySet().forEach(offer -> row.of(generation, offer)));
    }

    private static List<String> server(Generation generation, String offer) {
        var manner = ClientPlanner.manner(ClientDialects.of(generation), OFFERS.get(offer));
        return List.of(
                offer,
                word(ClientPlanner.longCall(generation)),
                (manner.inSession() ? "in a session" : "alone, closing cancels")
                        + (manner.readsTools() ? ", by definitions" : ""),
                manner.resumes() ? "resumed" : "lost",
                (manner.namesTasks() ? "named by the client, " : "") + followed(manner.follow()),
                switch (manner.cancel()) {
                    case CancelPlan.ById(var isOffered) -> isOffered ? "by id" : "not offered";
                    case CancelPlan.ByNotice notice -> "by notice";
                    case CancelPlan.ByCall call -> "by the call";
                });
    }

    private static String followed(FollowPlan plan) {
        return word(plan.by()) + ", which show " + word(plan.shown());
    }

    private static List<String> calls(Generation generation, String offer) {
        return Stream.concat(
                        Stream.of(offer),
                        COLUMNS.values().stream().map(column -> words(plan(generation, offer, column))))
                .toList();
    }

    private static CallPlan plan(Generation generation, String offer, Column column) {
        return ClientPlanner.call(ClientDialects.of(generation), OFFERS.get(offer), column.tool(), column.choice());
    }

    private static String words(CallPlan plan) {
        var wish = switch (plan.wish()) {
            case TaskWish.None none -> "";
            case TaskWish.NextPart next -> next.token() == null ? " in parts" : " after " + next.token();
            case TaskWish.Terms terms -> " " + terms(terms);
            case TaskWish.Unreadable bad -> throw new AssertionError(bad);
        };
        return word(plan.way())
                + wish
                + (plan.isNamed() ? ", named" : "")
                + (plan.isRepeatable() ? ", repeatable" : "")
                + (plan.ignoresTtl() ? ", ttl ignored" : "");
    }

    private static String terms(TaskWish.Terms terms) {
        return word(terms.created())
                + (terms.alias() == null ? "" : " as " + terms.alias().id())
                + (terms.time() == null ? "" : " for " + terms.time().toHours() + " h from " + word(terms.kept()));
    }

    private static Column column(TaskMode mode, boolean repeats, boolean mayBeTask, @Nullable Duration ttl) {
        return new Column(new ToolTerms.Usable(mode, Map.of(), repeats), new TaskChoice(mayBeTask, ttl, "mine"));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static void row(List<String> page, String first, List<String> cells) {
        page.add(Stream.concat(Stream.of(first), cells.stream()).collect(Collectors.joining(" | ", "| ", " |")));
    }

    @SafeVarargs
    private static <V> Map<String, V> ordered(Map.Entry<String, V>... entries) {
        var all = new LinkedHashMap<String, V>();
        Stream.of(entries).forEach(entry -> all.put(entry.getKey(), entry.getValue()));
        return all;
    }
}
