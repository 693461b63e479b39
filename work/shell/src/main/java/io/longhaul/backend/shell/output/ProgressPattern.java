// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.output;

import io.longhaul.backend.shell.text.LinePattern;
import io.longhaul.engine.task.Progress;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression that finds progress in a line of output by its named groups: {@code current} and {@code total}
 * as numbers, or {@code percent}, and {@code message} for the step at hand. Immutable.
 */
public final class ProgressPattern {

    private static final Set<String> GROUPS = Set.of("current", "total", "percent", "message");
    private static final double WHOLE = 100;

    private final LinePattern pattern;
    private final Set<String> groups;

    private ProgressPattern(LinePattern pattern, Set<String> groups) {
        this.pattern = pattern;
        this.groups = groups;
    }

    /**
     * The pattern of {@code regex}, which may match any part of a line.
     *
     * @throws java.util.regex.PatternSyntaxException when {@code regex} is no regular expression
     * @throws IllegalArgumentException               when {@code regex} has neither a group {@code current} nor
     *                                                {@code percent}
     */
    public static ProgressPattern of(String regex) {
        var pattern = Pattern.compile(regex);
        var groups = new TreeSet<>(pattern.namedGroups().keySet());
        groups.retainAll(GROUPS);
        if (!groups.contains("current") && !groups.contains("percent")) {
            throw new IllegalArgumentException(
                    "a progress pattern needs a group (?<current>...) or (?<percent>...): " + regex);
        }
        return new ProgressPattern(new LinePattern(pattern), groups);
    }

    Optional<Progress> find(String line) {
        return pattern.find(line).flatMap(this::progress);
    }

    private Optional<Progress> progress(MatchResult match) {
        var percent = number(match, "percent");
        var current = number(match, "current");
        if (current == null && percent == null) {
            return Optional.empty();
        }
        var message = group(match, "message");
        return Optional.of(
                current != null
                        ? new Progress(current, number(match, "total"), message)
                        : new Progress(percent, WHOLE, message));
    }

    private @Nullable Double number(MatchResult match, String name) {
        var text = group(match, name);
        if (text == null) {
            return null;
        }
        try {
            var number = Double.parseDouble(text.replace(",", ""));
            return Double.isFinite(number) && number >= 0 ? number : null;
        } catch (NumberFormatException notANumber) {
            return null;
        }
    }

    private @Nullable String group(MatchResult match, String name) {
        return groups.contains(name) ? match.group(name) : null;
    }

    @Override
    public String toString() {
        return pattern.toString();
    }
}
