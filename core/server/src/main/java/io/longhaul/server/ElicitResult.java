// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import com.fasterxml.jackson.annotation.JsonAlias;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a person to a form. The pattern {@code ElicitResult<Name>(var action, var filledIn)} matches also an
 * answer that was declined.
 *
 * @param action   what the person did with the form
 * @param filledIn what the person filled in; null unless the action is {@code ACCEPT}
 * @param <T>      the type that the form is bound to
 */
public record ElicitResult<T>(
        Action action,
        // Steps that were recorded before the component was renamed have "content".
        @JsonAlias("content") @Nullable T filledIn) {

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
     * What the person filled in.
     *
     * @throws IllegalStateException unless the person accepted
     */
    public T content() {
        if (filledIn == null) {
            throw new IllegalStateException("nothing was filled in: the answer was " + action);
        }
        return filledIn;
    }
}
