// SPDX-License-Identifier: Apache-2.0
package io.longhaul.schema;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.OutputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Collects the first problems of one check, and ends the check when there are enough for a report. */
final class Problems extends ExecutionContext {

    private static final int TOLD = 5;
    private static final int LONGEST_TOLD = 4_000;

    /** The most problems kept for one of several choices: further problems add no information. */
    private static final int KEPT_OF_A_CHOICE = 20;

    private static final int STEPS = 50;

    private final List<Error> found = getErrors();
    private final int most;

    /** @param formats whether a {@code format} must be met */
    Problems(boolean formats) {
        this(formats, TOLD);
    }

    /** @param most the number of problems that ends the check */
    Problems(boolean formats, int most) {
        super(ExecutionConfig.builder().formatAssertionsEnabled(formats).build());
        this.most = most;
    }

    /** Collects the problems of {@code value}. */
    @Nullable
    Void of(Schema schema, JsonNode value) {
        try {
            schema.validate(this, value, OutputFormat.DEFAULT);
        } catch (EnoughException e) {
            setErrors(found);
        }
        return null;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // Within a choice the validator collects into another list of its own.
    public void addError(Error error) {
        Budget.current().spend(STEPS);
        List<Error> errors = getErrors();
        if (errors == found || errors.size() < KEPT_OF_A_CHOICE) {
            super.addError(error);
        }
        if (errors == found && found.size() >= most) {
            throw new EnoughException();
        }
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    /** The problems with their places in the value and the schema. */
    List<Breach> breaches() {
        return found.stream()
                .map(error -> new Breach(
                        error.getInstanceLocation().toString(),
                        error.getSchemaLocation().getFragment().toString(),
                        error.getProperty()))
                .toList();
    }

    /** The report of the problems. */
    String told() {
        String told = found.stream()
                .limit(TOLD)
                .map(error -> {
                    String at = error.getInstanceLocation().toString();
                    return at.isEmpty() || at.equals("$") ? error.getMessage() : at + ": " + error.getMessage();
                })
                .collect(Collectors.joining("; "));
        return told.length() > LONGEST_TOLD ? told.substring(0, LONGEST_TOLD) + "…" : told;
    }

    /** Thrown when there are enough problems. A validator passes exceptions of this superclass on unchanged. */
    private static final class EnoughException extends SchemaException {
        private static final long serialVersionUID = 1L;

        EnoughException() {
            super("enough problems");
        }
    }
}
