// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What a shell of the system makes of a command line that is not finished. */
enum Shell {
    BASH("-euc", """
        source "$0"
        read -ra COMP_WORDS <<<"$1"
        case $1 in *' ') COMP_WORDS+=('') ;; esac
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _longhaul || true
        printf '%s\\n' "${COMPREPLY[@]}"
        """),
    /** A terminal of its own types the line and a key that completes it, and reads what the line is then. */
    ZSH("-fc", """
        zmodload zsh/zpty
        zpty typed zsh -f -i
        zpty -w typed "PS1=; autoload -Uz compinit && compinit -D -u; source $0"
        zpty -w typed 'finish() { zle complete-word; print -r -- "<<$BUFFER>>"; zle kill-buffer }'
        zpty -w typed 'zle -N finish; bindkey "^T" finish; print re""ady'
        zpty -r typed seen '*ready*'
        zpty -n -w typed "$1"$'\\x14'
        zpty -r typed seen '*<<*>>*'
        print -r -- ${${seen##*<<}%%>>*}
        """),
    FISH("-Nc", "source $argv[1]; complete -C $argv[2]");

    private final String options;
    private final String script;

    Shell(String options, String script) {
        this.options = options;
        this.script = script;
    }

    /** The argument of {@code longhaul completion}. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Where the shell is missing, the test is skipped, and says so in a line. */
    void assumeIsThere() {
        var folders = System.getenv("PATH").split(":", -1);
        boolean isThere = Arrays.stream(folders).anyMatch(folder -> Files.isExecutable(Path.of(folder, word())));
        if (!isThere) {
            System.err.println("cli: no " + word() + " on the PATH, its completion is not tested: install " + word());
        }
        assumeTrue(isThere, "there is no " + word());
    }

    /** The last words that the shell offers for {@code line} after it has read {@code completion}. */
    List<String> offers(Path completion, String line) throws IOException, InterruptedException {
        var said = completion.resolveSibling("said");
        var shell = new ProcessBuilder(word(), options, script, completion.toString(), line)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(shell.waitFor(30, TimeUnit.SECONDS)).as(line).isTrue();
            assertThat(shell.exitValue()).as(Files.readString(said)).isZero();
            return Files.readAllLines(said).stream().map(Shell::lastWord).toList();
        } finally {
            shell.destroyForcibly();
        }
    }

    /** Of a line that zsh has finished, and of a word that fish explains behind a tab. */
    private static String lastWord(String line) {
        return Stream.of(line.replaceFirst("\\t.*", "").strip().split(" ", -1)).reduce("", (word, next) -> next);
    }
}
