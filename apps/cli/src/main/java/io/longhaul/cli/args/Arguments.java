// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.args;

import io.longhaul.cli.exit.UsageException;
import io.longhaul.file.text.EnumWords;
import io.longhaul.file.text.SimilarWord;
import io.longhaul.file.text.WrittenDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The options and words after a command. Immutable. */
public final class Arguments {
    private final List<String> line;
    private final Map<String, List<String>> options;
    private final List<String> words;

    private Arguments(List<String> line, Map<String, List<String>> options, List<String> words) {
        this.line = List.copyOf(line);
        this.options = Map.copyOf(options);
        this.words = List.copyOf(words);
    }

    /**
     * Splits a line into options and words; after {@code --} there are only words.
     *
     * @throws UsageException on an unknown option, or an option without its value
     */
    public static Arguments parse(List<String> line, List<Option> known) {
        var byName = known.stream().collect(Collectors.toMap(Option::name, Function.identity()));
        var options = new HashMap<String, List<String>>();
        var words = new ArrayList<String>();
        var rest = line.listIterator();
        while (rest.hasNext()) {
            var word = rest.next();
            if (word.equals("--")) {
                rest.forEachRemaining(words::add);
            } else if (!word.startsWith("-") || word.equals("-")) {
                words.add(word);
            } else {
                int equals = word.indexOf('=');
                var name = equals < 0 ? word : word.substring(0, equals);
                var option = byName.get(name);
                if (option == null) {
                    throw new UsageException(
                            "there is no option " + name + ". " + SimilarWord.advice(name, byName.keySet()));
                }
                options.computeIfAbsent(name, unused -> new ArrayList<>())
                        .add(value(
                                option, equals < 0 ? Optional.empty() : Optional.of(word.substring(equals + 1)), rest));
            }
        }
        return new Arguments(line, options, words);
    }

    private static String value(Option option, Optional<String> attached, ListIterator<String> rest) {
        if (option.value() == null) {
            if (attached.isPresent()) {
                throw new UsageException(option.name() + " takes no value. Leave out what is behind the =.");
            }
            return "";
        }
        if (option.form() != null) {
            return attached.orElseGet(() -> valueOfForm(option.form(), rest));
        }
        if (attached.isEmpty() && !rest.hasNext()) {
            throw new UsageException(
                    option.name() + " needs a value. Write " + option.name() + " " + option.value() + ".");
        }
        return attached.orElseGet(rest::next);
    }

    /** The next word where it has the form of a value, else none. */
    private static String valueOfForm(Pattern form, ListIterator<String> rest) {
        if (rest.hasNext()) {
            var next = rest.next();
            if (form.matcher(next).matches()) {
                return next;
            }
            rest.previous();
        }
        return "";
    }

    /** The whole line, as it was written. */
    public List<String> line() {
        return line;
    }

    public boolean has(Option option) {
        return options.containsKey(option.name());
    }

    /** The values of an option that may be repeated. */
    public List<String> values(Option option) {
        return options.getOrDefault(option.name(), List.of());
    }

    /** The value of an option; the last value where the option is repeated. */
    public Optional<String> value(Option option) {
        return Optional.ofNullable(options.get(option.name())).map(List::getLast);
    }

    /**
     * What {@code reader} makes of the value of an option.
     *
     * @param problem the end of the sentence that begins with the option and its value, where it makes nothing
     * @throws UsageException where it makes nothing of it
     */
    public <T> Optional<T> value(Option option, Function<String, Optional<T>> reader, String problem) {
        return value(option)
                .map(text -> reader.apply(text)
                        .orElseThrow(() -> new UsageException(option.name() + " \"" + text + "\" " + problem)));
    }

    /**
     * The value of an option that is a duration.
     *
     * @throws UsageException where it is none
     */
    public Optional<Duration> duration(Option option) {
        return value(option, WrittenDuration::parse, "is no time. " + WrittenDuration.ADVICE + ".");
    }

    /**
     * The value of an option that is the word of a constant.
     *
     * @throws UsageException where it is none, with all words
     */
    public <E extends Enum<E>> Optional<E> constant(Option option, Class<E> type) {
        return value(option)
                .map(text -> EnumWords.find(type, text).orElseThrow(() -> {
                    var words = EnumWords.all(type);
                    var last = words.size() - 1;
                    return new UsageException(option.name() + " is " + String.join(", ", words.subList(0, last))
                            + " or " + words.get(last) + ", not \"" + text + "\".");
                }));
    }

    private enum Format {
        TEXT,
        JSON
    }

    /**
     * Whether an option is {@code json} and not {@code text}; empty where it is missing.
     *
     * @throws UsageException on any other value
     */
    public Optional<Boolean> isJson(Option option) {
        return constant(option, Format.class).map(Format.JSON::equals);
    }

    /**
     * The value of an option that is a number, or {@code otherwise} where the option is missing.
     *
     * @throws UsageException where the value is no number from 1 to {@code most}
     */
    public int number(Option option, int otherwise, int most) {
        var text = value(option).orElse(String.valueOf(otherwise));
        if (!text.matches("[1-9][0-9]{0,8}") || Integer.parseInt(text) > most) {
            throw new UsageException(option.name() + " is a number from 1 to " + most + ", not \"" + text + "\".");
        }
        return Integer.parseInt(text);
    }

    /** The words other than options. */
    public List<String> words() {
        return words;
    }

    /**
     * The word at {@code index}.
     *
     * @throws UsageException where there are fewer words
     */
    public String word(int index, String what) {
        if (index >= words.size()) {
            throw new UsageException(what + " is missing. See --help.");
        }
        return words.get(index);
    }

    /**
     * Checks that there are no more words than a command takes.
     *
     * @throws UsageException where there are
     */
    public void expectWords(int most) {
        expectWords(words, most);
    }

    /** As {@link #expectWords(int)}, for the words that are left of a command line. */
    public static void expectWords(List<String> words, int most) {
        if (words.size() > most) {
            throw new UsageException("\"" + words.get(most) + "\" is one word too many. See --help.");
        }
    }
}
