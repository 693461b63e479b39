// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a file says of a job, as steps of the builder of that job, which need the environment. Each step is tried when
 * it is added, so that a mistake is reported at its place.
 *
 * @param <B> the builder
 */
public final class BuilderSteps<B> {

    private final FileFields file;
    private final String at;
    private final B trial;
    private final String refused;
    private final List<BiConsumer<B, Map<String, String>>> steps = new ArrayList<>();

    /**
     * @param at      the place of the object that the builder is told
     * @param trial   the builder on which steps are tried
     * @param refused the words before the message of the builder, where it refuses a step
     */
    public BuilderSteps(FileFields file, String at, B trial, String refused) {
        this.file = file;
        this.at = at;
        this.trial = trial;
        this.refused = refused;
    }

    /** The builder on which all good steps were tried. */
    public B trial() {
        return trial;
    }

    /** Adds a step that is not tried. */
    public void untried(BiConsumer<B, Map<String, String>> step) {
        steps.add(step);
    }

    public void add(String place, String fix, BiConsumer<B, Map<String, String>> step) {
        try {
            step.accept(trial, Map.of());
            steps.add(step);
        } catch (IllegalArgumentException e) {
            file.wrong(place, refused + e.getMessage(), fix);
        }
    }

    /** Adds a step for a text of the object, where the file has that text. */
    public void given(String field, String fix, BiConsumer<B, String> set) {
        given(at + "/" + field, fix, file.text(at + "/" + field), set);
    }

    /** Adds a step for a value, where there is one. */
    public <T> void given(String place, String fix, @Nullable T value, BiConsumer<B, T> set) {
        if (value != null) {
            add(place, fix, (builder, env) -> set.accept(builder, value));
        }
    }

    public B applied(B builder, Map<String, String> env) {
        steps.forEach(step -> step.accept(builder, env));
        return builder;
    }
}
