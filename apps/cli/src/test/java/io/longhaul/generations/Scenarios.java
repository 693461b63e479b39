// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static io.longhaul.testkit.talk.Messages.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.generations.Caller.Order;
import io.longhaul.generations.Caller.Ref;
import io.longhaul.generations.Truth.End;
import io.longhaul.generations.Truth.State;
import io.longhaul.receiver.observe.ServerEvent;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Every case once, for a client of any generation. Each gives what the table says of it. */
final class Scenarios implements AutoCloseable {

    private static final String ALICE = "alice";
    private static final String BOB = "bob";
    private static final Order REPORT = Order.of("report");

    private final Tongue tongue;
    private final Caller alice;
    private final Truth truth;
    private Place place;

    Scenarios(Tongue tongue, Place place) {
        this.tongue = tongue;
        this.place = place;
        alice = tongue.caller(place, ALICE);
        truth = alice.truth();
    }

    /** What observers of the server were told so far. */
    List<ServerEvent> events() {
        return place.events();
    }

    Shown show(Cell cell) throws Exception {
        var reason = truth.impossible(cell);
        return reason.isPresent() ? new Shown.CannotBe(reason.get()) : new Shown.Held(run(cell));
    }

    private String run(Cell cell) throws Exception {
        return switch (cell) {
            case COMPLETES -> completes();
            case TOOL_ERROR -> ends("fails", End.TOOL_ERROR);
            case PROTOCOL_ERROR -> ends("breaks", End.PROTOCOL_ERROR);
            case CANCELLED -> cancelled();
            case ANSWERED -> answered();
            case APPROVED -> approved();
            case QUESTION_CANCELLED -> questionCancelled();
            case PROGRESS -> progress();
            case PARTIAL_OUTPUT -> partialOutput();
            case EXPIRES -> expires();
            case KILLED -> killed();
            case FOREIGN_OWNER -> foreignOwner();
            case UNKNOWN_ID -> unknownId();
            case MALFORMED -> malformed();
            case RETRIED -> retried();
            case TWO_WATCHERS -> twoWatchers();
            case FETCHED_TWICE -> fetchedTwice();
        };
    }

    private String completes() throws Exception {
        var call = begun(alice, REPORT);
        assertState(call, State.RUNNING);
        place.works().openGate();
        return text(State.RUNNING) + ", then " + assertEnd(alice, call, End.RESULT);
    }

    private String ends(String tool, End end) {
        return assertEnd(alice, alice.create(Order.of(tool)), end);
    }

    private String cancelled() throws Exception {
        var running = begun(alice, Order.of("single"));
        alice.progress(running);
        if (truth.of(State.QUEUED) != null && !place.isBehindGateway()) {
            var queued = alice.create(Order.of("single"));
            assertState(queued, State.QUEUED);
            assertCancelled(queued);
        }
        assertCancelled(running);
        var ended = begun(alice, REPORT);
        alice.progress(ended);
        place.works().openGate();
        assertEnd(alice, ended, End.RESULT);
        assertThat(alice.cancel(ended)).isEqualTo(truth.cancelledLate());
        assertThat(Told.outcome(alice.fetch(ended)))
                .isEqualTo(truth.of(End.RESULT).outcome());
        assertThat(place.works().begunBeside()).isZero();
        return "early: " + truth.of(End.CANCELLED) + "; late: " + truth.cancelledLate();
    }

    private String answered() {
        var call = alice.create(Order.of("asks"));
        var question = alice.question(call);
        assertThat(question.text()).isEqualTo("Who?");
        assertState(call, State.ASKING);
        alice.answer(call, question, json("{'action':'accept','content':{'name':'Ada'}}"));
        var told = alice.end(call);
        assertThat(told).isEqualTo(new Told(truth.of(End.RESULT).status(), "\"It is Ada\""));
        return text(State.ASKING) + ", then " + told;
    }

    private String approved() {
        var approved = alice.create(Order.of("publishes"));
        var question = alice.question(approved);
        assertThat(question.text()).isEqualTo("Publish?");
        alice.answer(approved, question, json("{'action':'accept'}"));
        assertThat(alice.end(approved).outcome()).isEqualTo("\"published\"");
        var declined = alice.create(Order.of("publishes"));
        alice.answer(declined, alice.question(declined), json("{'action':'decline'}"));
        var told = alice.end(declined);
        assertThat(told)
                .isEqualTo(new Told(
                        truth.of(End.TOOL_ERROR).status(),
                        "`isError` \"The question \"Publish?\" was declined, so that the call has ended.\""));
        return "\"published\", or " + told;
    }

    private String questionCancelled() {
        var declined = alice.create(Order.of("asks"));
        alice.answer(declined, alice.question(declined), json("{'action':'cancel'}"));
        assertThat(alice.end(declined).outcome()).isEqualTo("\"Nobody said\"");
        var dropped = alice.create(Order.of("asks"));
        var question = alice.question(dropped);
        assertThat(alice.cancel(dropped)).isEqualTo(truth.cancelled());
        alice.answer(dropped, question, json("{'action':'accept','content':{'name':'Ada'}}"));
        return assertEnd(alice, dropped, End.CANCELLED) + ", and no answer changes it";
    }

    private String progress() throws Exception {
        var call = begun(alice, REPORT);
        String told = alice.progress(call);
        assertThat(told).containsAnyOf("1/2 \"half\"", "50%: half");
        return told;
    }

    private String partialOutput() throws Exception {
        var call = begun(alice, Order.of("pages"));
        assertThat(alice.part(call)).isEqualTo("page 1");
        place.works().letOneThrough();
        assertThat(alice.part(call)).isEqualTo("page 2");
        place.works().openGate();
        return "\"page 1\", \"page 2\", then " + assertEnd(alice, call, End.RESULT);
    }

    private String expires() throws Exception {
        var call = begun(alice, REPORT);
        var ran = Duration.ofMinutes(30);
        place.pass(ran);
        place.works().openGate();
        assertEnd(alice, call, End.RESULT);
        var stays = Duration.ofMinutes(10);
        place.pass(stays);
        alice.leave();
        var kept = truth.keptAfterLeaving(REPORT.keep(), ran, stays);
        var blink = Duration.ofSeconds(1);
        place.pass(kept.minus(blink));
        var later = tongue.caller(place, ALICE);
        assertEnd(later, later.adopt(call, REPORT), End.RESULT);
        place.pass(blink);
        assertThat(seen(tongue.caller(place, ALICE), call.id())).isEqualTo(truth.unknown());
        return asUnknown() + ", " + kept.plus(stays).toMinutes() + " min after its end";
    }

    private String killed() throws Exception {
        var lasting = begun(alice, REPORT);
        alice.progress(lasting);
        var fragile = begun(alice, Order.of("fragile"));
        alice.progress(fragile);
        place = place.kill();
        alice.goOn(place, ALICE);
        place.works().awaitBegun();
        place.works().openGate();
        String text = "goes on: " + assertEnd(alice, lasting, End.RESULT);
        String end = assertEnd(alice, fragile, End.INTERRUPTED).replace(Works.INTERRUPTED, "The server stopped …");
        return text + "; must not run twice: " + end;
    }

    private String foreignOwner() throws Exception {
        var call = begun(alice, REPORT);
        alice.progress(call);
        assertThat(alice.seenBy(tongue.caller(place, BOB), call)).isEqualTo(truth.unknown());
        place.works().openGate();
        assertEnd(alice, call, End.RESULT);
        return asUnknown();
    }

    private String unknownId() {
        assertThat(seen(alice, "nonsense")).isEqualTo(truth.unknown());
        return unknown();
    }

    private String malformed() throws Exception {
        var said = alice.malformed();
        if (alice.isSenselessOfCall()) {
            // Else its tool could begin in the next case.
            place.works().awaitBegun();
        }
        assertThat(said)
                .isNotEmpty()
                .allSatisfy(response -> assertThat(
                                response.path("error").path("code").asInt())
                        .as(response.toString())
                        .isEqualTo(-32602));
        return Told.error(said.getFirst()) + ", and " + (said.size() - 1) + " more like it";
    }

    private String retried() throws Exception {
        var first = begun(alice, REPORT.keyed("k"));
        var second = alice.create(REPORT.keyed("k"));
        assertThat(alice.isSame(first, second)).isTrue();
        var other = Told.outcome(alice.refusal(Order.of("fragile").keyed("k")));
        assertThat(other).isEqualTo(truth.otherCreation());
        place.works().openGate();
        assertEnd(alice, first, End.RESULT);
        assertEnd(alice, second, End.RESULT);
        assertThat(place.works().begunBeside()).isZero();
        return "the same; for another call: " + other;
    }

    private String twoWatchers() throws Exception {
        var other = tongue.caller(place, ALICE);
        var call = begun(alice, REPORT.keyed("k"));
        var here = alice.watch(call);
        var there = other.watch(other.join(call, REPORT.keyed("k")));
        place.works().openGate();
        assertThat(List.of(here.end(), there.end())).containsOnly(truth.of(End.RESULT));
        assertThat(place.works().begunBeside()).isZero();
        return "both: " + truth.of(End.RESULT);
    }

    private String fetchedTwice() throws Exception {
        var call = begun(alice, REPORT);
        alice.progress(call);
        place.works().openGate();
        assertEnd(alice, call, End.RESULT);
        var once = alice.fetch(call);
        var twice = alice.fetch(call);
        assertThat(twice.path("result")).isEqualTo(once.path("result"));
        assertThat(Told.outcome(once)).isEqualTo(truth.of(End.RESULT).outcome());
        return "the same";
    }

    private Ref begun(Caller caller, Order order) throws InterruptedException {
        var call = caller.create(order);
        place.works().awaitBegun();
        return call;
    }

    /** A word of the generation, where it has one. */
    private String text(State state) {
        boolean isWord = !truth.of(End.RESULT).status().isEmpty();
        return isWord ? "`" + truth.of(state) + "`" : truth.of(state);
    }

    private void assertCancelled(Ref call) {
        assertThat(alice.cancel(call)).isEqualTo(truth.cancelled());
        assertEnd(alice, call, End.CANCELLED);
    }

    private void assertState(Ref call, State state) {
        assertThat(alice.state(call)).as("%s", state).isEqualTo(truth.of(state));
    }

    private String assertEnd(Caller caller, Ref call, End end) {
        var told = caller.end(call);
        assertThat(told).as("%s", end).isEqualTo(truth.of(end));
        return told.toString();
    }

    /** What the verbs of a caller say of an id. */
    private static Map<String, String> seen(Caller caller, String id) {
        var seen = new LinkedHashMap<String, String>();
        caller.verbs(id).forEach((verb, response) -> seen.put(verb, Told.outcome(response)));
        return seen;
    }

    private String asUnknown() {
        return truth.impossible(Cell.UNKNOWN_ID).isPresent() ? unknown() : "as an unknown id";
    }

    private String unknown() {
        return truth.unknown().values().stream().distinct().collect(Collectors.joining("; "));
    }

    @Override
    public void close() {
        place.works().openGate();
        place.close();
    }
}
