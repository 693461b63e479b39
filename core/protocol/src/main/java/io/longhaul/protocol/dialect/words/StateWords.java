// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.UnusableMessageException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The words of one generation for the states of a task, for both sides. A word of another generation is none. */
public final class StateWords {

    /** Of the revisions, which show neither that the work has not begun nor that a person has declined. */
    public static final StateWords OF_REVISIONS =
            of(State.WORKING, State.INPUT_REQUIRED, State.COMPLETED, State.FAILED, State.CANCELLED);

    private final Map<String, State> states = new LinkedHashMap<>();
    private final Map<State, String> words = new EnumMap<>(State.class);

    private StateWords() {}

    /** The usual words for these states. Any other state is written as the state that is closest to it. */
    public static StateWords of(State... states) {
        var usual = new StateWords();
        for (var state : states) {
            usual.and(state.name().toLowerCase(Locale.ROOT), state);
        }
        return usual;
    }

    /** With another word for a state, which is written where the state has none yet. */
    public StateWords and(String word, State state) {
        states.put(word, state);
        words.putIfAbsent(state, word);
        return this;
    }

    public String word(State state) {
        var own = words.get(state);
        return own == null ? word(state == State.SUBMITTED ? State.WORKING : State.COMPLETED) : own;
    }

    /** The state with this word; empty where the generation has no such word. */
    public Optional<State> state(String word) {
        return Optional.ofNullable(states.get(word));
    }

    /** The state of a task of a server. */
    public State state(JsonNode task) throws UnusableMessageException {
        return state(ClientReader.text(task, "status", "task"))
                .orElseThrow(() -> new UnusableMessageException("The server's task has an unknown status."));
    }

    /** All words, for a person. */
    public String all() {
        return String.join(", ", states.keySet());
    }
}
