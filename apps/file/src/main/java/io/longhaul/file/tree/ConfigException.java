// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tree;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A file of tools cannot be used. The message is for the user: a line for each mistake, with file, line, column, field,
 * problem and fix. The message is harmless for a terminal, whatever the file contains.
 */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Mistake> mistakes;

    public ConfigException(List<Mistake> mistakes) {
        super(mistakes.stream().map(Mistake::text).collect(Collectors.joining("\n")), null, false, false);
        this.mistakes = List.copyOf(mistakes);
    }

    public ConfigException(Mistake mistake) {
        this(List.of(mistake));
    }

    /** The mistakes, at least one, in the order of the file. */
    public List<Mistake> mistakes() {
        return mistakes;
    }
}
