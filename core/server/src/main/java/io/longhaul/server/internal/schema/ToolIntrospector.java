// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.schema;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.longhaul.server.annotation.McpParam;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;

/**
 * Makes the binding of Jackson agree with the schemas: reads names from {@link McpParam}, and finds the record of a
 * sealed interface by a property {@code type} with the record's simple name.
 */
public final class ToolIntrospector extends JacksonAnnotationIntrospector {

    /** The property that tells the records of a sealed interface apart. */
    public static final String TYPE = "type";

    private static final long serialVersionUID = 1L;

    /** A mapper that leaves out the properties of records that are null or empty optionals. */
    public static JsonMapper mapper() {
        return JsonMapper.builder()
                .annotationIntrospector(new ToolIntrospector())
                .changeDefaultPropertyInclusion(as -> as.withValueInclusion(JsonInclude.Include.NON_ABSENT))
                .build();
    }

    /** The sealed interface that {@code type} is or implements. */
    public static Optional<Class<?>> sealed(Class<?> type) {
        if (type.isInterface() && type.isSealed() && !type.getName().startsWith("java.")) {
            return Optional.of(type);
        }
        return Arrays.stream(type.getInterfaces())
                .flatMap(parent -> sealed(parent).stream())
                .findFirst();
    }

    /** The records of a sealed interface and of its nested sealed interfaces, in the order of the source. */
    public static List<Class<?>> choices(Class<?> sealed) {
        return Arrays.stream(sealed.getPermittedSubclasses())
                .flatMap(one -> one.isSealed() ? choices(one).stream() : Stream.of(one))
                .distinct()
                .toList();
    }

    @Override
    public @Nullable PropertyName findNameForSerialization(MapperConfig<?> config, Annotated member) {
        PropertyName name = name(member);
        return name != null ? name : super.findNameForSerialization(config, member);
    }

    @Override
    public @Nullable PropertyName findNameForDeserialization(MapperConfig<?> config, Annotated member) {
        PropertyName name = name(member);
        return name != null ? name : super.findNameForDeserialization(config, member);
    }

    @Override
    public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(MapperConfig<?> config, Annotated type) {
        var own = super.findPolymorphicTypeInfo(config, type);
        if (own != null
                || !(type instanceof AnnotatedClass)
                || sealed(type.getRawType()).isEmpty()) {
            return own;
        }
        return JsonTypeInfo.Value.construct(
                JsonTypeInfo.Id.SIMPLE_NAME, JsonTypeInfo.As.PROPERTY, TYPE, null, false, true, null);
    }

    @Override
    public @Nullable List<NamedType> findSubtypes(MapperConfig<?> config, Annotated type) {
        var own = super.findSubtypes(config, type);
        Class<?> raw = type.getRawType();
        if (own != null || !raw.isSealed() || sealed(raw).isEmpty()) {
            return own;
        }
        return choices(raw).stream().map(NamedType::new).toList();
    }

    private static @Nullable PropertyName name(Annotated member) {
        McpParam param = member.getAnnotation(McpParam.class);
        return param == null || param.name().isEmpty() ? null : PropertyName.construct(param.name());
    }
}
