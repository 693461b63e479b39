// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static io.longhaul.testkit.talk.Messages.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.generations.Caller.Order;
import io.longhaul.generations.Caller.Ref;
import io.longhaul.generations.Truth.End;
import io.longhaul.generations.Truth.State;
import java.util.EnumSet;
import java.util.List;

/** A task that one client creates, and that another one of the same owner reaches in its own words. */
final class Crossing implements AutoCloseable {

    private static final String OWNER = "alice";

    private final Place place = new InProcess(new MemoryWay());
    private final Tongue created;
    private final Tongue through;
    private final Caller creator;
    private final Caller other;
    private final Truth truth;

    Crossing(Tongue created, Tongue through) {
        this.created = created;
        this.through = through;
        creator = created.caller(place, OWNER);
        other = through.caller(place, OWNER);
        truth = other.truth();
    }

    void run(Verb verb) throws Exception {
        switch (verb) {
            case READ -> reads();
            case WATCH -> watches();
            case ANSWER -> answers();
            case LIST -> lists();
            case CANCEL -> cancels();
            case OUTCOME -> fetches();
        }
    }

    private void reads() throws Exception {
        var call = creator.create(Order.of("report").keyed("mine"));
        place.works().awaitBegun();
        assertThat(other.state(itsOwn())).isEqualTo(truth.of(State.RUNNING));
        if (!creator.truth().verbs().isEmpty()) {
            assertThat(other.state(call))
                    .as("by the name that its creator has for it")
                    .isEqualTo(areNamesApart() ? "" : truth.of(State.RUNNING));
        }
    }

    /** Whether callers choose names in both generations: a name of the one is free in the other. */
    private boolean areNamesApart() {
        return EnumSet.of(created, through).equals(EnumSet.of(Tongue.REQUESTOR_TASKS, Tongue.OPERATIONS));
    }

    private void watches() throws Exception {
        var call = begun("report");
        var watch = other.watch(other.join(itsOwn(), Order.of("report")));
        place.works().openGate();
        assertThat(watch.end()).isEqualTo(truth.of(End.RESULT));
        assertThat(creator.end(call)).isEqualTo(creator.truth().of(End.RESULT));
    }

    private void answers() {
        var call = creator.create(Order.of("asks"));
        creator.question(call);
        var same = itsOwn();
        var watch = other.watch(same);
        other.answer(same, other.question(same), json("{'action':'accept','content':{'name':'Ada'}}"));
        assertThat(watch.end().outcome()).isEqualTo("\"It is Ada\"");
        assertThat(creator.end(call).outcome()).isEqualTo("\"It is Ada\"");
    }

    private void lists() throws Exception {
        var older = begun(Order.of("report").keyed("older"));
        var newer = begun(Order.of("report").keyed("newer"));
        var ids = created == through ? List.of(newer.id(), older.id()) : itsOwnIds();
        assertThat(other.list()).hasSize(2).containsExactlyInAnyOrderElementsOf(ids);
    }

    private void cancels() throws Exception {
        var call = begun("single");
        creator.progress(call);
        assertThat(other.cancel(itsOwn())).isEqualTo(truth.cancelled());
        assertThat(creator.end(call)).isEqualTo(creator.truth().of(End.CANCELLED_ELSEWHERE));
    }

    private void fetches() throws Exception {
        var call = begun("report");
        place.works().openGate();
        assertThat(creator.end(call)).isEqualTo(creator.truth().of(End.RESULT));
        assertThat(Told.outcome(other.fetch(itsOwn())))
                .isEqualTo(truth.of(End.RESULT).outcome());
    }

    private Ref begun(String tool) throws InterruptedException {
        return begun(Order.of(tool));
    }

    private Ref begun(Order order) throws InterruptedException {
        var call = creator.create(order);
        place.works().awaitBegun();
        return call;
    }

    /** The newest task, by the id that every generation knows. */
    private Ref itsOwn() {
        return new Ref(itsOwnIds().getFirst(), 0);
    }

    private List<String> itsOwnIds() {
        return Tongue.HANDSHAKE_TASKS.caller(place, OWNER).list();
    }

    @Override
    public void close() {
        place.works().openGate();
        place.close();
    }
}
