// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.answer;

import io.longhaul.cli.exit.UsageException;

/** One argument that a user gives as {@code key=value}. */
public record KeyValue(String key, String value) {

    /** @throws UsageException where the text has another form */
    public static KeyValue parse(String text) {
        return parse(text, "is no argument. Write key=value.");
    }

    /** @param problem the end of the sentence that begins with the text, where it has another form */
    static KeyValue parse(String text, String problem) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new UsageException("\"" + text + "\" " + problem);
        }
        return new KeyValue(text.substring(0, equals), text.substring(equals + 1));
    }

    /** The error for a key that was given twice, and takes one value. */
    public UsageException twice() {
        return new UsageException("\"" + key + "\" is there twice. It takes one value.");
    }
}
