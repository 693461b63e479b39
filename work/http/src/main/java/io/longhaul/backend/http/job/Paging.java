// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.job;

import io.longhaul.backend.http.exchange.ApiResponse;
import io.longhaul.backend.http.request.TemplateValues;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/**
 * How the response to a GET is continued.
 *
 * @param items the place of the list in a page
 * @param next  the place of the address or token of the next page; null for {@code Link} with {@code rel=next}
 *              (RFC 8288)
 * @param query the query parameter that takes the token; null where {@code next} is an address
 * @param most  the most pages of one call
 */
public record Paging(
        JsonPointer items,
        @Nullable JsonPointer next,
        @Nullable String query,
        int most) {

    private static final Pattern LINK = Pattern.compile("<([^>]*)>([^<]*)");
    private static final Pattern NEXT =
            Pattern.compile(";\\s*rel\\s*=\\s*(\"([^\"]*\\s)?next(\\s[^\"]*)?\"|next\\b)", Pattern.CASE_INSENSITIVE);

    public Paging {
        if (most < 1) {
            throw new IllegalArgumentException("a list has at least one page: " + most);
        }
        if (query != null && next == null) {
            throw new IllegalArgumentException("a parameter for the next page needs the place of its value");
        }
    }

    /** The address of the page after this one. */
    public Optional<URI> after(ApiResponse page, JsonNode body) {
        if (next == null) {
            return page.headers().allValues("Link").stream()
                    .flatMap(header -> LINK.matcher(header).results())
                    .filter(link -> NEXT.matcher(link.group(2)).find())
                    .findFirst()
                    .flatMap(link -> page.resolve(link.group(1)));
        }
        var value = Optional.of(body.at(next)).filter(JsonNode::isValueNode).map(TemplateValues::asText);
        return value.filter(text -> !text.isBlank() && !text.equals("null") && !text.equals("false"))
                .flatMap(text -> query == null ? page.resolve(text) : Optional.of(with(page.uri(), query, text)));
    }

    private static URI with(URI page, String name, String token) {
        var written = URLEncoder.encode(name, StandardCharsets.UTF_8);
        var others = Stream.of(
                        Optional.ofNullable(page.getRawQuery()).orElse("").split("&"))
                .filter(part -> !part.isEmpty() && !part.startsWith(written + "="));
        var query = Stream.concat(others, Stream.of(written + "=" + URLEncoder.encode(token, StandardCharsets.UTF_8)))
                .collect(Collectors.joining("&"));
        return page.resolve(page.getRawPath() + "?" + query);
    }
}
