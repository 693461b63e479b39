// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Templates of RFC 6570, by which URIs are matched. */
class UriTemplateTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "test://{id}/data | test://123/data | id=123",
                "test://{id}-x | test://a-x-x | id=a-x",
                "{+path}/here | /foo/bar/here | path=/foo/bar",
                "X{#var} | X#Hello%20World! | var=Hello World!",
                "map?{x,y} | map?1024,768 | x=1024 y=768",
                "X{.x,y} | X.1024.768 | x=1024 y=768",
                "{/var,x}/here | /value/1024/here | var=value x=1024",
                "a{;x,y,empty} | a;x=1024;empty | x=1024 empty=",
                "s://h{?q,lang} | s://h?lang=en&q=a%26b | lang=en q=a&b",
                "s://h{?q,lang} | s://h | ",
                "s://h?fixed=yes{&x} | s://h?fixed=yes&x=1024 | x=1024",
                "s://h{;x}{&y} | s://h&y=1 | y=1",
                "s://{a}C{b} | s://xC%C3%BC | a=x b=ü",
                "s://{name} | s://%C3%BC | name=ü"
            })
    void a_uri_gives_the_values_of_the_variables(String template, String uri, String expected) {
        var values = UriTemplate.of(template).match(uri);
        assertThat(values).isPresent();
        var words = String.valueOf(expected == null ? "" : expected).trim();
        for (var pair : words.isEmpty() ? new String[0] : words.split(" (?=\\w+=)")) {
            var at = pair.indexOf('=');
            assertThat(values.get()).containsEntry(pair.substring(0, at), pair.substring(at + 1));
        }
        assertThat(values.get()).hasSize(words.isEmpty() ? 0 : words.split(" (?=\\w+=)").length);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "test://{id}/data | test://a/b/data",
                "test://{id}/data | test:///data",
                "test://{id} | test://a%2",
                "test://{id} | test://%FF",
                "s://h{?q} | s://h?other=1",
                "s://h{?q} | s://h?q=%FF",
                "s://h{?q} | s://h?q=1&q=2"
            })
    void another_uri_is_none_of_the_template(String template, String uri) {
        assertThat(UriTemplate.of(template).match(uri)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"s://{a}{b}", "s://{a:3}", "s://{a*}", "s://{a", "s://a}", "s://{}", "s://{a}/{a}", "s://x"})
    void a_template_that_cannot_be_matched_is_refused_where_it_is_written(String template) {
        assertThatThrownBy(() -> UriTemplate.of(template))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(template);
    }

    @Test
    void a_uri_of_more_than_2048_characters_matches_nothing() {
        var template = UriTemplate.of("s://{+a}");
        assertThat(template.match("s://" + "x".repeat(2_044))).isPresent();
        assertThat(template.match("s://" + "x".repeat(2_045))).isEmpty();
    }

    @Test
    void a_uri_of_which_each_match_would_be_tried_for_years_matches_nothing() {
        var template = UriTemplate.of("{+a},{+b},{+c},{+d},{+e}!");
        assertThat(template.match(",".repeat(2_048))).isEmpty();
    }

    @Test
    void the_pairs_of_a_uri_may_be_as_many_as_its_characters() {
        assertThat(UriTemplate.of("s:{;a}").match("s:" + ";".repeat(2_046))).isEmpty();
        assertThat(UriTemplate.of("s:{?a}").match("s:?a=" + "&".repeat(2_043))).isEmpty();
    }

    @Test
    void a_uri_is_looked_at_four_million_times_and_no_more() {
        var template = UriTemplate.of("{+a}1{+b}2{c}");
        assertThat(template.match("x1y2z" + "1".repeat(1_000)))
                .as("3.5 million looks")
                .isPresent();
        assertThat(template.match("x1y2z" + "1".repeat(1_130)))
                .as("4.5 million looks")
                .isEmpty();
    }
}
