// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.exit;

import io.longhaul.file.text.SimilarWord;
import java.util.Collection;
import java.util.function.Supplier;

/** An invalid command line. The message is for the user and says what to do. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message, null, false, false);
    }

    /**
     * The mistake of an unknown word.
     *
     * @param problem the beginning of the sentence that ends with the word, such as {@code there is no command}
     */
    public static UsageException unknown(String problem, String word, Collection<String> known) {
        return new UsageException(problem + " \"" + word + "\". " + SimilarWord.advice(word, known));
    }

    /**
     * What {@code action} gives. Where it refuses its values, this is a mistake of the user.
     *
     * @param problem the beginning of the message
     */
    public static <T> T expect(String problem, Supplier<T> action) {
        try {
            return action.get();
        } catch (IllegalArgumentException e) {
            var message = String.valueOf(e.getMessage());
            throw new UsageException(problem + message + (message.endsWith(".") ? "" : "."));
        }
    }
}
