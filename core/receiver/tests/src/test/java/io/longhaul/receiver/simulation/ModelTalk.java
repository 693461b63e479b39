// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.server.ToolContext;
import io.longhaul.server.Tools;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A quick call whose handler asks a few times and ends with what it was answered, and what the model knows of it. */
final class ModelTalk {

    /**
     * What the client carries to the next round.
     *
     * @param answers that the client had given before
     * @param key     under which the next answer is given, or empty where the call begins anew
     * @param process that has given the state, by its number
     */
    record State(List<String> answers, String key, String state, int process) {

        boolean isBeginning() {
            return key.isEmpty();
        }

        /** The answers after the next round. */
        List<String> with(String answer) {
            var more = new ArrayList<>(answers);
            more.add(answer);
            return List.copyOf(more);
        }
    }

    final ModelWork work;
    private final int questions;
    final List<State> states = new ArrayList<>();

    /** States that the client has sent. */
    private final Set<State> sent = new HashSet<>();

    /** How often the handler may run: for each beginning, and for each state behind which none waits any more. */
    private int mayRun;

    private int runs;
    private int results;

    ModelTalk(ModelWork work, int questions) {
        this.work = work;
        this.questions = questions;
        states.add(new State(List.of(), "", "", 0));
    }

    /**
     * The client sends a state.
     *
     * @param process that it sends it to
     * @param waits   whether handlers are sure to wait for their answers there
     */
    void sends(State state, int process, boolean waits) {
        boolean isWaiting = sent.add(state) && !state.isBeginning() && state.process() == process && waits;
        mayRun += isWaiting ? 0 : 1;
    }

    boolean ranTooOften() {
        return runs > mayRun;
    }

    /** The client has the result; a talk is over when it has that more than once. */
    void ends() {
        results++;
        work.over = results > 1;
    }

    boolean asksAfter(List<String> answers) {
        return answers.size() < questions;
    }

    /** What the handler asks after so many answers. */
    String question(int answered) {
        return work.name + " question " + (answered + 1);
    }

    /** The result of the handler after these answers. */
    String result(List<String> answers) {
        return work.name + String.join("", answers);
    }

    /** The handler, on the thread of its call. */
    String run(ToolContext call) throws InterruptedException {
        runs++;
        List<String> answers = new ArrayList<>();
        while (asksAfter(answers)) {
            var answer = call.elicit(question(answers.size()), Tools.Name.class);
            answers.add(answer.content().name());
        }
        return result(answers);
    }
}
