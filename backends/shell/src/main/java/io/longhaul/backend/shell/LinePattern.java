// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A regular expression for lines that a job writes, and so perhaps its caller: matching one costs a bounded number of
 * steps, since a line can be made for an expression that blows up. Immutable.
 */
final class LinePattern {

    private static final Logger log = LoggerFactory.getLogger(LinePattern.class);
    private static final int STEPS = 1_000_000;

    private final Pattern pattern;

    LinePattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /** The first match in {@code line}; none where it costs too much to find. */
    Optional<MatchResult> find(String line) {
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

    /** A text that can be looked at so many times. */
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
