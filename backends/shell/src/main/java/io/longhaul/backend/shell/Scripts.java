// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Finds the script in the command line of an interpreter, such as {@code sh -c SCRIPT}. */
public final class Scripts {

    private static final Pattern INTERPRETER =
            Pattern.compile("(?:.*/)?(?:sh|bash|dash|ash|zsh|ksh|fish|pwsh|python[0-9.]*|node|perl|ruby|php|lua)");
    private static final Pattern SCRIPT_OPTION = Pattern.compile("-[A-Za-z]*[cer]|--eval|--command|-Command");
    private static final Pattern TAKES_VALUE = Pattern.compile("[-+][A-Za-z]*[oOWX]");

    private Scripts() {}

    /** The index of the script among the elements of a command line; empty where there is no script. */
    public static OptionalInt placeIn(List<String> line) {
        boolean options = false;
        for (int i = 0; i + 1 < line.size(); i++) {
            var word = line.get(i);
            if (options && SCRIPT_OPTION.matcher(word).matches()) {
                return OptionalInt.of(i + 1);
            }
            boolean isValue = i > 0 && TAKES_VALUE.matcher(line.get(i - 1)).matches();
            options = INTERPRETER.matcher(word).matches() || options && (word.startsWith("-") || isValue);
        }
        return OptionalInt.empty();
    }
}
