// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Finds scripts in command lines: words that an interpreter runs as code, as in {@code sh -c SCRIPT}. */
public final class Scripts {

    /** Which words of an interpreter are scripts, beside those of options. */
    private enum Words {
        /** None: the first word ends the options. */
        NONE,
        /** None, and options may follow words. */
        NONE_AND_OPTIONS,
        /** The first, where an option says so; the second is the name of the script. */
        FIRST_IF_TOLD,
        /** The first, where no option has a script. */
        FIRST,
        /** All but the first. */
        REST
    }

    private static final List<Interpreter> INTERPRETERS = List.of(
            Interpreter.of(
                    "sh|bash|dash|ash|zsh|m?ksh",
                    "-[A-Za-z]*c[A-Za-z]*",
                    "[-+][A-Za-z]*[oO]|--rcfile|--init-file",
                    Words.FIRST_IF_TOLD),
            Interpreter.of("fish", "-[A-Za-z&&[^dDfop]]*?[cC]|--command|--init-command", "-[dDfop]", Words.NONE),
            Interpreter.of("python[0-9.]*", "-[A-Za-z&&[^mWX]]*?c", "-[A-Za-z]*[WX]", Words.NONE),
            Interpreter.of("perl[0-9.]*", "-[A-Za-z0-9&&[^CDFiImMxV]]*?[eE]", "-[A-Za-z]*I", Words.NONE),
            Interpreter.of("ruby[0-9.]*", "-[A-Za-z0-9&&[^CEFiIKrTWx]]*?e", "-[A-Za-z]*[CEIr]", Words.NONE),
            Interpreter.of("node(?:js)?|bun", "-[ep]+|--eval|--print", "-[rC]|--require|--import|--loader", Words.NONE),
            Interpreter.of("php[0-9.]*", "-[rBRE]|--run|--process-(?:begin|code|end)", "-[cdz]", Words.NONE),
            Interpreter.of("lua(?:jit|[0-9.]*)", "-e", "-l", Words.NONE),
            Interpreter.of("pwsh|powershell", "-(?i:c[a-z]*|e[a-z]*)", "-(?i:wo[a-z]*|v[a-z]*)", Words.NONE),
            Interpreter.of("[gmn]?awk", "-[efE]|--source|--file|--exec", "-[Fvil]|--assign", Words.FIRST),
            Interpreter.of("g?sed", "-[A-Za-z&&[^il]]*?[ef]|--expression|--file", "-l", Words.FIRST),
            Interpreter.of(
                    "su|runuser",
                    "-[A-Za-z&&[^sgGuwT]]*?c|--command|--session-command",
                    "-[sgGuwT]",
                    Words.NONE_AND_OPTIONS),
            Interpreter.of("ssh", "(?!)", "-[46AaCfGgKkMNnqsTtVvXxYy]*[BbcDEeFIiJLlmOoPpQRSWw]", Words.REST));

    private Scripts() {}

    /** The indexes of the scripts among the elements of a command line. */
    public static List<Integer> placesIn(List<String> line) {
        var places = new ArrayList<Integer>();
        int next = 0;
        while (next < line.size()) {
            var interpreter = named(line.get(next));
            next++;
            if (interpreter.isPresent()) {
                next = interpreter.get().read(line, next, places);
            }
        }
        places.removeIf(place -> place >= line.size());
        return places;
    }

    private static Optional<Interpreter> named(String word) {
        return INTERPRETERS.stream()
                .filter(one -> one.programs().matcher(word).matches())
                .findFirst();
    }

    /**
     * A kind of interpreter.
     *
     * @param programs the names of its programs
     * @param options  beginnings of options whose rest is a script, or, where nothing is left, whose next word is one
     * @param valued   options whose next word is a value
     */
    private record Interpreter(Pattern programs, Pattern options, Pattern valued, Words words) {

        static Interpreter of(String programs, String options, String valued, Words words) {
            return new Interpreter(
                    Pattern.compile("(?:.*/)?(?:" + programs + ")"),
                    Pattern.compile(options),
                    Pattern.compile(valued),
                    words);
        }

        /** Adds the places of scripts from an index on; returns the index behind this interpreter and its options. */
        int read(List<String> line, int from, List<Integer> places) {
            boolean isFirst = words == Words.FIRST;
            for (int i = from; i < line.size(); i++) {
                var word = line.get(i);
                var option = options.matcher(word);
                if (option.lookingAt()) {
                    isFirst = words == Words.FIRST_IF_TOLD;
                    if (option.end() < word.length()) {
                        places.add(i);
                    } else if (!isFirst) {
                        i++;
                        places.add(i);
                    } else if (valued.matcher(word).matches()) {
                        i++;
                    }
                } else if (valued.matcher(word).matches()) {
                    i++;
                } else if (!word.startsWith("-") && !word.startsWith("+") && endsAt(line, i)) {
                    return end(line.size(), i, isFirst, places);
                }
            }
            return line.size();
        }

        private boolean endsAt(List<String> line, int at) {
            return words != Words.NONE_AND_OPTIONS
                    || line.get(at - 1).equals("--")
                    || named(line.get(at)).isPresent();
        }

        private int end(int size, int at, boolean isFirst, List<Integer> places) {
            if (words == Words.REST) {
                IntStream.range(at + 1, size).forEach(places::add);
                return size;
            }
            if (isFirst) {
                places.add(at);
            }
            return at + (isFirst ? 2 : 0);
        }
    }
}
