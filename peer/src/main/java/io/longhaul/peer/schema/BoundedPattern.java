package io.longhaul.peer.schema;

import com.networknt.schema.SchemaException;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import java.util.regex.Pattern;

/**
 * A regular expression of a schema. The texts come from peers, who can make them for an expression that blows up, so
 * that all matches of one check share a number of steps that grows with what is matched. Thread-safe.
 */
final class BoundedPattern implements RegularExpression {

    private static final int STEPS = 1_000_000;
    private static final int STEPS_PER_CHARACTER = 20;
    private static final ThreadLocal<Budget> BUDGET = ThreadLocal.withInitial(Budget::new);

    private final Pattern pattern;

    /** @throws java.util.regex.PatternSyntaxException where it is no regular expression */
    BoundedPattern(String regex) {
        String ours =
                RegularExpressions.replaceLongformCharacterProperties(RegularExpressions.replaceDollarAnchors(regex));
        pattern = Pattern.compile(ours);
    }

    /** Begins a check on this thread: it has all its steps before it. */
    static void refill() {
        BUDGET.set(new Budget());
    }

    /** Ends the check. */
    static void forget() {
        BUDGET.remove();
    }

    /** @throws TooManyStepsException where the check has used up its steps */
    @Override
    public boolean matches(String text) {
        Budget budget = BUDGET.get();
        budget.left += (long) STEPS_PER_CHARACTER * text.length();
        try {
            return pattern.matcher(new CountedText(text, budget)).find();
        } catch (StackOverflowError e) {
            throw new TooManyStepsException(pattern);
        } catch (OutOfStepsException e) {
            throw new TooManyStepsException(pattern);
        }
    }

    private static final class Budget {
        private long left = STEPS;

        void step() {
            if (--left < 0) {
                throw new OutOfStepsException();
            }
        }
    }

    /** Each look at a character is a step. */
    private record CountedText(String text, Budget budget) implements CharSequence {

        @Override
        public char charAt(int index) {
            budget.step();
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

    private static final class OutOfStepsException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutOfStepsException() {
            super(null, null, false, false);
        }
    }

    /** A text takes too many steps to match. A validator passes exceptions of this kind on as they are. */
    static final class TooManyStepsException extends SchemaException {
        private static final long serialVersionUID = 1L;

        TooManyStepsException(Pattern pattern) {
            super(pattern.pattern());
        }
    }
}
