// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.work;

import io.longhaul.backend.shell.command.Scripts;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.Variables;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Finds words of a command that mean something to a shell alone, where no shell reads them. */
public final class ShellWords {
    private static final Pattern OPERATOR =
            Pattern.compile("\\|\\|?|&&?|;|[0-9]?>>?|[0-9]?>&[0-9-]|&>>?|<" + "|(?:[0-9]?>>?|&>>?)[A-Za-z0-9_./-]+");
    private static final Pattern FILES =
            Pattern.compile("(?:[A-Za-z0-9_./{}-]*/)?[A-Za-z0-9_.{}-]*\\*[A-Za-z0-9_.*{}-]*");
    private static final Pattern DELIMITER_OPTION = Pattern.compile("-[dstF]|--[a-z-]*(?:delimiter|separator)");
    private static final Pattern HOME = Pattern.compile("~(?:/.*)?");
    private static final Pattern SUBSTITUTED = Pattern.compile("\\$\\(.+\\)|`.+`");

    /** Programs with arguments that look like operators. */
    private static final Set<String> WITH_OPERATORS =
            Set.of("expr", "test", "[", "tr", "grep", "egrep", "fgrep", "rg", "sed", "awk", "jq", "find", "printf");

    /** Programs that give a dollar sign a meaning of their own. */
    private static final Set<String> WITH_DOLLARS =
            Set.of("envsubst", "jq", "yq", "grep", "egrep", "rg", "make", "xmllint");

    /** Programs that take names of files, and no pattern of names. */
    private static final Set<String> OF_FILES = Set.of(("ls cat cp mv rm ln wc head tail tac nl less more sort uniq cut"
                    + " paste join du chmod chown chgrp touch stat file diff cmp gzip gunzip bzip2 xz zstd md5sum"
                    + " sha1sum sha256sum sha512sum b2sum cksum tar zip scp mkdir rmdir od xxd strings shred")
            .split(" "));

    /** Programs that run the program behind their own options. */
    private static final Set<String> WRAPPERS =
            Set.of("env", "nice", "ionice", "nohup", "time", "timeout", "stdbuf", "sudo", "setsid");

    /** A text of a command, and its place in the file. */
    public record Word(String at, String text) {}

    private final FileFields file;
    private final List<Word> words;
    private final Set<Integer> scripts;

    private ShellWords(FileFields file, List<Word> words) {
        this.file = file;
        this.words = words;
        scripts = new HashSet<>(scripts(words));
    }

    /** The words of a list of the file, or the one word at a place. */
    public static List<Word> words(FileFields file, String at) {
        return file.places(at)
                .map(place -> new Word(place, file.text(place, "")))
                .toList();
    }

    /** The indexes of the words that a shell or another interpreter reads. */
    static List<Integer> scripts(List<Word> words) {
        return Scripts.placesIn(words.stream().map(Word::text).toList());
    }

    /** Reports such words of a command. */
    public static void check(FileFields file, List<Word> words) {
        var all = new ShellWords(file, words);
        for (int i = 1; i < words.size(); i++) {
            if (!all.scripts.contains(i)) {
                all.check(i);
            }
        }
    }

    private void check(int index) {
        var text = words.get(index).text();
        boolean isOwn = WITH_DOLLARS.contains(program(index));
        var inBraces = isOwn ? Optional.<String>empty() : Variables.inBraces(text);
        var bare = isOwn ? Optional.<String>empty() : Variables.bare(text);
        if (inBraces.isPresent()) {
            var fix = "Write the value itself, give it by env:, or have a shell read the command: [sh, -c, '...'];"
                    + " write $" + "{{NAME}} where the text is meant as such";
            file.wrong(words.get(index).at(), "has " + inBraces.get() + ", which no shell reads here", fix);
        } else if (bare.isPresent()) {
            warn(index, "has " + bare.get() + ", which no shell reads here");
        } else if (SUBSTITUTED.matcher(text).matches()) {
            warn(index, "is a command in a command, which no shell reads here");
        } else if (HOME.matcher(text).matches()) {
            warn(index, "begins with ~, which no shell reads here");
        } else if (OPERATOR.matcher(text).matches() && !isValue(index) && !WITH_OPERATORS.contains(program(index))) {
            warn(index, "is an operator of a shell, and no shell reads it here");
        } else if (isPattern(index, text)) {
            warn(index, "is a pattern of names, which no shell reads here");
        }
    }

    private boolean isPattern(int index, String text) {
        boolean isOfOption = words.get(index - 1).text().matches("--[^=]+|-[xiTIX]");
        return FILES.matcher(text).matches()
                && !text.startsWith("-")
                && !isOfOption
                && OF_FILES.contains(program(index));
    }

    private boolean isValue(int index) {
        return DELIMITER_OPTION.matcher(words.get(index - 1).text()).matches();
    }

    /** The program that gets the word, behind programs that run it. */
    private String program(int index) {
        var before = new ArrayList<>(words.subList(0, index));
        while (!before.isEmpty() && WRAPPERS.contains(name(before.getFirst()))) {
            before.removeFirst();
            while (!before.isEmpty()
                    && before.getFirst().text().matches("-.*|[A-Za-z_][A-Za-z0-9_]*=.*|[0-9.]+[smhd]?")) {
                before.removeFirst();
            }
        }
        return before.isEmpty() ? "" : name(before.getFirst());
    }

    private static String name(Word program) {
        return program.text().substring(program.text().lastIndexOf('/') + 1);
    }

    private void warn(int index, String problem) {
        var word = words.get(index);
        file.warn(
                word.at(),
                FileFields.quote(word.text()) + " " + problem,
                "Have one read the command: [sh, -c, '...'], with values as \"$1\" behind it");
    }
}
