package io.longhaul.server;

import org.jspecify.annotations.Nullable;

/**
 * What a person answered to a form.
 *
 * @param action what they did with it
 * @param given  what they filled in; null unless they accepted
 * @param <T>    what the form is bound to
 */
public record Elicited<T>(Action action, @Nullable T given) {

    /** What a person can do with a form. */
    public enum Action {
        ACCEPT,
        DECLINE,
        CANCEL
    }

    public boolean accepted() {
        return action == Action.ACCEPT;
    }

    public boolean declined() {
        return action == Action.DECLINE;
    }

    public boolean cancelled() {
        return action == Action.CANCEL;
    }

    /**
     * What they filled in.
     *
     * @throws IllegalStateException unless they accepted
     */
    public T value() {
        if (given == null) {
            throw new IllegalStateException("nothing was filled in: the answer was " + action);
        }
        return given;
    }
}
