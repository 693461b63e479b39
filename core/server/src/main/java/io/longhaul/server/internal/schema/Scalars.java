// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Currency;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON Schemas of Java types for single values. */
public final class Scalars {

    private static final String TEXT = "{\"type\":\"string\"}";
    private static final String INTEGER = "{\"type\":\"integer\"}";
    private static final String NUMBER = "{\"type\":\"number\"}";
    private static final String LETTER = "{\"type\":\"string\",\"minLength\":1,\"maxLength\":1}";
    private static final String BYTES = "{\"type\":\"string\",\"contentEncoding\":\"base64\"}";

    private static final Map<Class<?>, String> KNOWN = known();

    private Scalars() {}

    static Optional<ObjectNode> schema(Class<?> type) {
        return Optional.ofNullable(KNOWN.get(type)).map(schema -> (ObjectNode) Values.parse(schema));
    }

    private static Map<Class<?>, String> known() {
        Map<Class<?>, String> known = new HashMap<>();
        all(known, "{\"type\":\"boolean\"}", boolean.class, Boolean.class);
        all(known, INTEGER, BigInteger.class);
        all(known, integer(Byte.MIN_VALUE, Byte.MAX_VALUE), byte.class, Byte.class);
        all(known, integer(Short.MIN_VALUE, Short.MAX_VALUE), short.class, Short.class);
        all(known, integer(Integer.MIN_VALUE, Integer.MAX_VALUE), int.class, Integer.class, OptionalInt.class);
        all(known, integer(Long.MIN_VALUE, Long.MAX_VALUE), long.class, Long.class, OptionalLong.class);
        all(known, integer(Year.MIN_VALUE, Year.MAX_VALUE), Year.class);
        all(known, NUMBER, double.class, float.class, Double.class, Float.class, BigDecimal.class);
        all(known, NUMBER, OptionalDouble.class, Number.class);
        all(known, TEXT, String.class, CharSequence.class, LocalDateTime.class, LocalTime.class, YearMonth.class);
        all(known, TEXT, ZoneId.class, ZoneOffset.class, Locale.class, Currency.class);
        all(known, LETTER, char.class, Character.class);
        all(known, BYTES, byte[].class);
        all(known, text("date"), LocalDate.class);
        all(known, text("date-time"), Instant.class, OffsetDateTime.class, ZonedDateTime.class);
        all(known, text("time"), OffsetTime.class);
        all(known, text("duration"), Duration.class, Period.class);
        all(known, text("uuid"), UUID.class);
        all(known, text("uri"), URI.class, URL.class);
        all(known, "{}", Object.class, JsonNode.class);
        all(known, "{\"type\":\"object\"}", ObjectNode.class);
        all(known, "{\"type\":\"array\"}", ArrayNode.class);
        return known;
    }

    /**
     * A schema with the range of the Java type, so that a value beyond the range is refused before a task is created.
     */
    private static String integer(long minimum, long maximum) {
        return "{\"type\":\"integer\",\"minimum\":" + minimum + ",\"maximum\":" + maximum + "}";
    }

    /** A schema of a text with a format. A {@code LocalTime} gets no format: {@code time} requires an offset. */
    private static String text(String format) {
        return "{\"type\":\"string\",\"format\":\"" + format + "\"}";
    }

    private static void all(Map<Class<?>, String> known, String schema, Class<?>... types) {
        for (Class<?> type : types) {
            known.put(type, schema);
        }
    }
}
