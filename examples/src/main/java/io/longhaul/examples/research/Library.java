// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.research;

import io.longhaul.server.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The paragraphs of the texts of a folder, ranked for a query by Okapi BM25. Immutable. */
final class Library {

    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");
    private static final Pattern TEXT = Pattern.compile("\\.(txt|md)$");
    private static final int SAME_IN_EIGHT_WORDS = 16;
    private static final int REPEATED = 5;

    private static final double SATURATION = 1.2;
    private static final double LENGTH = 0.75;

    private static final Set<String> USUAL = Set.of(
            ("a about after all an and are as at be because before but by did do does each for from had has have how in"
                            + " is it its no not of on one or over so than that the their they this to was were what"
                            + " when where which who why with")
                    .split(" "));

    private final List<Passage> passages;
    private final List<Map<String, Integer>> counts = new ArrayList<>();
    private final Map<String, Integer> holders = new HashMap<>();
    private double averageLength;

    private Library(List<Passage> passages) {
        this.passages = List.copyOf(passages);
        for (var passage : passages) {
            Map<String, Integer> count = new HashMap<>();
            terms(passage.text()).forEach(term -> count.merge(term, 1, Integer::sum));
            count.keySet().forEach(term -> holders.merge(term, 1, Integer::sum));
            counts.add(count);
            averageLength += (double) length(count) / passages.size();
        }
    }

    static Library of(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new ToolException("There is no folder " + folder + ".");
        }
        var passages = new ArrayList<Passage>();
        try (var files = Files.walk(folder)) {
            for (var file : files.filter(it -> TEXT.matcher(it.toString()).find())
                    .sorted()
                    .toList()) {
                var name = TEXT.matcher(folder.relativize(file).toString()).replaceFirst("");
                for (var paragraph : Files.readString(file).strip().split("\\n\\s*\\n")) {
                    passages.add(new Passage(name, paragraph.strip()));
                }
            }
        }
        return new Library(passages);
    }

    List<String> documents() {
        return passages.stream().map(Passage::document).distinct().toList();
    }

    /** What a document and later ones both say, in nearly the same words; the longest first. */
    List<Repeated> repeated(String document) {
        var repeated = new ArrayList<Repeated>();
        for (var one : passages) {
            for (var other : passages) {
                if (one.document().equals(document) && other.document().compareTo(document) > 0) {
                    var words = words(one.text());
                    var same = Alignment.of(words, words(other.text()));
                    if (same.score() >= SAME_IN_EIGHT_WORDS) {
                        var text = String.join(" ", words.subList(same.from(), same.to()));
                        repeated.add(new Repeated(text, List.of(document, other.document())));
                    }
                }
            }
        }
        repeated.sort(Comparator.comparingInt((Repeated part) -> -part.text().length())
                .thenComparing(Repeated::text));
        return repeated.subList(0, Math.min(REPEATED, repeated.size()));
    }

    /** The best passages, best first, without passages that have no word of the query. */
    List<Passage> best(Collection<String> query, int limit) {
        var scores = new HashMap<Passage, Double>();
        for (int i = 0; i < passages.size(); i++) {
            double score = score(new HashSet<>(query), counts.get(i));
            if (score > 0) {
                scores.put(passages.get(i), score);
            }
        }
        return scores.entrySet().stream()
                .sorted(Comparator.comparingDouble((Map.Entry<Passage, Double> entry) -> -entry.getValue())
                        .thenComparing(entry -> entry.getKey().text()))
                .limit(limit)
                .map(Map.Entry::getKey)
                .toList();
    }

    private double score(Set<String> query, Map<String, Integer> count) {
        double longer = 1 - LENGTH + LENGTH * length(count) / averageLength;
        double score = 0;
        for (var term : query) {
            int here = count.getOrDefault(term, 0);
            score += rarity(term) * here * (SATURATION + 1) / (here + SATURATION * longer);
        }
        return score;
    }

    private double rarity(String term) {
        int having = holders.getOrDefault(term, 0);
        return Math.log(1 + (passages.size() - having + 0.5) / (having + 0.5));
    }

    /** The words of a passage that are rarest in the library, to search for next. */
    List<String> tellingTerms(Passage passage, int limit) {
        return terms(passage.text()).stream()
                .distinct()
                .sorted(Comparator.comparingDouble((String term) -> -rarity(term))
                        .thenComparing(term -> term))
                .limit(limit)
                .toList();
    }

    /** The words of a text, without the most common ones. */
    static List<String> terms(String text) {
        return words(text).stream()
                .filter(word -> word.length() > 1 && !USUAL.contains(word))
                .toList();
    }

    private static List<String> words(String text) {
        return WORD.matcher(text.toLowerCase(Locale.ROOT))
                .results()
                .map(MatchResult::group)
                .toList();
    }

    private static int length(Map<String, Integer> count) {
        return count.values().stream().mapToInt(Integer::intValue).sum();
    }
}
