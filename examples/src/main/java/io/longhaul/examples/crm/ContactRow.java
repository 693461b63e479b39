// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.crm;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** One row of a file of contacts, read and checked. */
record ContactRow(String email, String name, String company, String country, LocalDate since, long revenueCents) {

    static final String HEADER = "email,name,company,country,since,revenue";

    private static final int FIELDS = 6;
    private static final Pattern EMAIL = Pattern.compile("[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+");
    private static final Set<String> COUNTRIES = Locale.getISOCountries(Locale.IsoCountryCode.PART1_ALPHA2);

    /** A row cannot be imported. The message is for the person who corrects the file. */
    static final class BadRowException extends Exception {
        private static final long serialVersionUID = 1;

        BadRowException(String message) {
            super(message);
        }
    }

    static ContactRow of(String line) throws BadRowException {
        var fields = fields(line);
        require(fields.size() == FIELDS, fields.size() + " fields where there should be " + FIELDS);
        var email = fields.getFirst().toLowerCase(Locale.ROOT);
        require(EMAIL.matcher(email).matches(), "no email address");
        require(!fields.get(1).isBlank(), "no name");
        require(COUNTRIES.contains(fields.get(3)), "no country has the code " + fields.get(3));
        return new ContactRow(
                email, fields.get(1), fields.get(2), fields.get(3), date(fields.get(4)), cents(fields.get(5)));
    }

    private static LocalDate date(String text) throws BadRowException {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeParseException e) {
            throw new BadRowException("no date: " + text);
        }
    }

    private static long cents(String text) throws BadRowException {
        try {
            long cents = new BigDecimal(text).movePointRight(2).longValueExact();
            require(cents >= 0, "a revenue below zero");
            return cents;
        } catch (ArithmeticException | NumberFormatException e) {
            throw new BadRowException("no amount of money: " + text);
        }
    }

    private static void require(boolean isGood, String otherwise) throws BadRowException {
        if (!isGood) {
            throw new BadRowException(otherwise);
        }
    }

    /** The fields of a line of RFC 4180: a field in quotes may hold commas, and a doubled quote is one. */
    private static List<String> fields(String line) throws BadRowException {
        var fields = new ArrayList<String>();
        var field = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            boolean isDoubled = isQuoted && c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"';
            if (isDoubled) {
                field.append(c);
                i++;
            } else if (c == '"') {
                isQuoted = !isQuoted;
            } else if (c == ',' && !isQuoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        require(!isQuoted, "a quote that is not closed");
        fields.add(field.toString());
        return fields;
    }
}
