// SPDX-License-Identifier: Apache-2.0
package io.longhaul.schema;

import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import io.longhaul.schema.Budget.SpentException;
import java.util.regex.Pattern;

/**
 * A regular expression of a schema. Each access to a character is a step of the check, because a peer can choose a text
 * for which a match takes exponential time. Thread-safe.
 */
final class BoundedPattern implements RegularExpression {

    private static final int STEPS_PER_MATCH = 20;

    /** The time to compile an expression grows with the square of its length. */
    private static final int CHARACTERS_SQUARED_PER_STEP = 100;

    private final Pattern pattern;

    /** @throws java.util.regex.PatternSyntaxException where {@code regex} is no regular expression */
    BoundedPattern(String regex) {
        Budget.current().spend((long) regex.length() * regex.length() / CHARACTERS_SQUARED_PER_STEP);
        String ours =
                RegularExpressions.replaceLongformCharacterProperties(RegularExpressions.replaceDollarAnchors(regex));
        pattern = Pattern.compile(ours);
    }

    /** @throws SpentException where the check has used up its steps */
    @Override
    public boolean matches(String text) {
        Budget budget = Budget.current();
        budget.spend(STEPS_PER_MATCH);
        try {
            return pattern.matcher(new CountedText(text, () -> budget.spend(1))).find();
        } catch (StackOverflowError e) {
            throw new SpentException("the stack was too short for the pattern " + pattern);
        }
    }
}
