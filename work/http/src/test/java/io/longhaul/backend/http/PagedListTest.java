// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.backend.http.exchange.ApiResponse;
import io.longhaul.backend.http.job.Paging;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonPointer;

/** A list is read page by page, up to a bound. */
class PagedListTest {
    private static final String ORIGIN = "https://api.example.com";

    private final Map<String, ApiResponse> api = new HashMap<>();
    private final List<String> read = new ArrayList<>();

    private static ApiResponse page(String path, int status, String body, String... links) {
        var headers = HttpHeaders.of(Map.of("Link", List.of(links)), (name, value) -> true);
        return new ApiResponse(URI.create(ORIGIN + path), status, headers, body.getBytes(UTF_8), false);
    }

    private void on(String path, String body, String... links) {
        api.put(ORIGIN + path, page(path, 200, body, links));
    }

    private String whole(Paging pages, long most) throws Exception {
        var response = new PagedList(pages, most).whole(api.get(ORIGIN + "/a"), uri -> {
            read.add(uri.toString().substring(ORIGIN.length()));
            return api.get(uri.toString());
        });
        return response.status() + " " + new String(response.body(), UTF_8);
    }

    private static Paging linked(int most) {
        return new Paging(JsonPointer.empty(), null, null, most);
    }

    private static Paging named(String query) {
        return new Paging(JsonPointer.compile("/items"), JsonPointer.compile("/next"), query, 10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "</a?p=2>; rel=\"next\"",
                "</z>; rel=\"last\", <https://api.example.com/a?p=2>; title=\"x\"; REL=next",
                "<?p=2>; rel=\"nofollow next\", <x>; rel=\"nextish\""
            })
    void the_next_page_is_that_of_the_link_header(String link) throws Exception {
        on("/a", "[1]", link);
        on("/a?p=2", "[2,3]");
        assertThat(whole(linked(10), 100)).isEqualTo("200 [1,2,3]");
    }

    @Test
    void a_page_that_names_itself_ends_the_list() throws Exception {
        on("/a", "[1]", "</b>; rel=next");
        on("/b", "[2]", "</a>; rel=next");
        assertThat(whole(linked(10), 100)).isEqualTo("200 [1,2]");
        assertThat(read).containsExactly("/b");
    }

    @Test
    void the_page_after_the_bound_is_named() throws Exception {
        on("/a", "[1]", "</b>; rel=next");
        on("/b", "[2]", "</c>; rel=next");
        on("/c", "[3]");
        assertThat(whole(linked(2), 100)).isEqualTo("200 {\"items\":[1,2],\"next\":\"" + ORIGIN + "/c\"}");
        assertThat(whole(linked(10), 8)).isEqualTo("200 {\"items\":[1,2],\"next\":\"" + ORIGIN + "/c\"}");
    }

    @Test
    void a_token_takes_the_place_of_the_one_before_it() throws Exception {
        on("/a", "{\"items\":[1],\"next\":\"x y&z\"}");
        on("/a?cursor=x+y%26z", "{\"items\":[2],\"next\":\"t\"}");
        on("/a?cursor=t", "{\"items\":[3],\"next\":null}");
        assertThat(whole(named("cursor"), 1_000)).isEqualTo("200 {\"items\":[1,2,3]}");
    }

    @Test
    void the_first_page_has_the_token_of_the_last_one_that_was_read() throws Exception {
        on("/a", "{\"items\":[1],\"next\":\"/b\",\"total\":3}");
        on("/b", "{\"items\":[2],\"next\":\"/c\",\"total\":3}");
        var two = new Paging(JsonPointer.compile("/items"), JsonPointer.compile("/next"), null, 2);
        assertThat(whole(two, 1_000)).isEqualTo("200 {\"items\":[1,2],\"next\":\"/c\",\"total\":3}");
    }

    @Test
    void a_page_that_is_no_page_is_not_taken() throws Exception {
        on("/a", "{\"items\":[1],\"next\":\"/b\"}");
        on("/b", "{\"items\":\"none\"}");
        assertThat(whole(named(null), 1_000)).isEqualTo("200 {\"items\":[1],\"next\":\"" + ORIGIN + "/b\"}");
        api.put(ORIGIN + "/b", page("/b", 500, "broken"));
        assertThat(whole(named(null), 1_000)).isEqualTo("500 broken");
        on("/a", "{\"other\":1}");
        assertThat(whole(named(null), 1_000)).isEqualTo("200 {\"other\":1}");
    }

    @Test
    void pages_need_a_bound_and_a_place_for_their_parameter() {
        assertThatThrownBy(() -> linked(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Paging(JsonPointer.empty(), null, "cursor", 2))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
