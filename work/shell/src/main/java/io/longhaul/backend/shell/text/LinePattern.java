// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.text;

import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A regular expression for lines of a job's output. The number of steps of a match is limited, because a caller may
 * influence a line so that the match takes exponential time. Immutable.
 */
public record LinePattern(Pattern pattern) {

    private static final Logger log = LoggerFactory.getLogger(LinePattern.class);
    private static final int STEPS = 1_000_000;

    /** The first match in {@code line}; empty where the search takes too many steps. */
    public Optional<MatchResult> find(String line) {
        try {
            var match = pattern.matcher(new CountedText(line));
            return match.find() ? Optional.of(match.toMatchResult()) : Optional.empty();
        } catch (TooManyStepsException | StackOverflowError tooMuch) {
            log.warn("the pattern {} takes too many steps for a line of {} characters", pattern, line.length());
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return pattern.pattern();
    }

    /** A text that limits the number of accesses to its characters. */
    private static final class CountedText implements CharSequence {

        private final String text;
        private int steps;

        CountedText(String text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            if (++steps > STEPS) {
                throw new TooManyStepsException();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static final class TooManyStepsException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooManyStepsException() {
            super(null, null, false, false);
        }
    }
}
