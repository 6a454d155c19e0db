// values.c -- inputs and outputs that are no tensors: which of the model's tensors are in which of
// them (MlcRtValueInfo).
//
// The artefact has a line for each, "sequence(tensor, tensor)". Nodes go into one array: those of
// the values first, then the items of each list side by side. An artefact may be hostile: each line
// is read by the grammar alone, with a limit on depth, and all lines together must have the model's
// tensors, no more and no fewer.
#include "model.h"

#include <stdlib.h>

enum { MAX_DEPTH = 8, MAX_VALUES = 1 << 20 };

static const char *const form_names[] = {"tensor", "sequence", "optional", "map", "table"};
enum { NUM_FORMS = sizeof form_names / sizeof *form_names };

const char *
mlc_rt_form_name(MlcRtForm form)
{
    return (unsigned)form < NUM_FORMS ? form_names[form] : "?";
}

typedef struct Parser {
    const char *at;
    MlcRtValueInfo *next_item; // room for items: as many as the text has words
    int32_t next_tensor, end_tensor;
} Parser;

static bool
take(Parser *p, const char *text)
{
    size_t size = strlen(text);
    bool is_there = strncmp(p->at, text, size) == 0;
    p->at += is_there ? size : 0;
    return is_there;
}

// Commas between the parentheses that were opened, and one.
static int32_t
count_items(const char *at)
{
    int32_t count = *at != ')', depth = 0;
    for (; *at && !(depth == 0 && *at == ')'); at++) {
        depth += (*at == '(') - (*at == ')');
        count += depth == 0 && *at == ',';
    }
    return count;
}

static bool parse(Parser *p, MlcRtValueInfo *value, MlcRtType type, unsigned depth);

static bool
parse_items(Parser *p, MlcRtValueInfo *value, unsigned depth)
{
    int32_t count = count_items(p->at);
    MlcRtValueInfo *items = p->next_item;
    p->next_item += count;
    for (int32_t i = 0; i < count; i++) {
        items[i].name = "";
        if ((i > 0 && !take(p, ", ")) || !parse(p, &items[i], value->type, depth + 1))
            return false;
    }
    value->items = items;
    value->num_items = count;
    return take(p, ")") && (value->form != MLC_RT_OPTIONAL || count <= 1) &&
           ((value->form != MLC_RT_MAP && value->form != MLC_RT_TABLE) ||
            (count == 2 && items[0].form == MLC_RT_TENSOR && items[1].form == MLC_RT_TENSOR));
}

static bool
parse(Parser *p, MlcRtValueInfo *value, MlcRtType type, unsigned depth)
{
    int32_t first = p->next_tensor;
    int form = 0;
    while (form < NUM_FORMS && !take(p, form_names[form]))
        form++;
    if (form == NUM_FORMS || depth > MAX_DEPTH)
        return false;
    value->form = (MlcRtForm)form;
    value->type = type;
    bool ok = form == MLC_RT_TENSOR ? p->next_tensor++ < p->end_tensor
                                    : take(p, "(") && parse_items(p, value, depth);
    value->first_tensor = first;
    value->num_tensors = p->next_tensor - first;
    return ok;
}

// Words begin where none was: the number of nodes in a form, at most.
static size_t
count_nodes(const char *form)
{
    size_t count = 0;
    for (bool in_word = false; *form; form++) {
        bool is_letter = *form >= 'a' && *form <= 'z';
        count += is_letter && !in_word;
        in_word = is_letter;
    }
    return count;
}

static bool
all_tensors(MlcModel *m)
{
    int32_t count = m->num_inputs + m->num_outputs;
    m->values = calloc((size_t)count + 1, sizeof *m->values);
    if (!m->values)
        return false;
    for (int32_t i = 0; i < count; i++)
        m->values[i] = (MlcRtValueInfo){.name = m->tensors[i].name,
                                        .type = m->tensors[i].type,
                                        .first_tensor = i - (i < m->num_inputs ? 0 : m->num_inputs),
                                        .num_tensors = 1};
    m->num_values[0] = m->num_inputs;
    m->num_values[1] = m->num_outputs;
    return true;
}

static bool
read_value(MlcModel *m, Parser *p, const MlcArtefactValue *v, size_t i, const char *form)
{
    MlcRtValueInfo *value = &m->values[i];
    bool is_known = v->elements == 0 || mlc_rt_type_bytes((MlcRtType)v->elements) > 0;
    p->at = form;
    if (!is_known || !parse(p, value, (MlcRtType)v->elements, 0) || *p->at)
        return false;
    if (value->form == MLC_RT_TENSOR)
        value->type = m->tensors[(v->type == MLC_ARTEFACT_OUTPUT_VALUE ? m->num_inputs : 0) +
                                 value->first_tensor]
                          .type;
    return true;
}

bool
mlc_rt_read_values(MlcModel *m, const char *entries, size_t count, MlcStr strings)
{
    size_t num_nodes = count;
    if (count == 0)
        return all_tensors(m);
    for (size_t i = 0; i < count; i++) {
        MlcArtefactValue v;
        memcpy(&v, entries + i * sizeof v, sizeof v);
        if (v.name >= strings.size || v.form >= strings.size ||
            (v.type != MLC_ARTEFACT_INPUT_VALUE && v.type != MLC_ARTEFACT_OUTPUT_VALUE))
            return false;
        num_nodes += count_nodes(strings.data + v.form);
    }
    m->values = num_nodes < MAX_VALUES ? calloc(num_nodes, sizeof *m->values) : NULL;
    if (!m->values)
        return false;
    Parser p = {.next_item = m->values + count, .end_tensor = m->num_inputs};
    for (size_t i = 0; i < count; i++) {
        MlcArtefactValue v;
        memcpy(&v, entries + i * sizeof v, sizeof v);
        bool is_output = v.type == MLC_ARTEFACT_OUTPUT_VALUE;
        if (!is_output && m->num_values[1] > 0)
            return false;
        if (is_output && m->num_values[1] == 0) {
            if (p.next_tensor != m->num_inputs)
                return false;
            p.next_tensor = 0;
            p.end_tensor = m->num_outputs;
        }
        m->num_values[is_output]++;
        m->values[i].name = strings.data + v.name;
        if (!read_value(m, &p, &v, i, strings.data + v.form))
            return false;
    }
    return m->num_values[1] > 0 && p.next_tensor == m->num_outputs;
}

bool
mlc_rt_read_literals(MlcModel *m, const char *entries, size_t count, MlcStr strings)
{
    for (size_t i = 0; i < count; i++) {
        MlcArtefactLiteral l;
        memcpy(&l, entries + i * sizeof l, sizeof l);
        if (l.type != MLC_ARTEFACT_LITERAL || l.offset >= strings.size ||
            l.size >= strings.size - l.offset || strings.data[l.offset + l.size] != '\0')
            return false;
        MlcRtString literal = {strings.data + l.offset, l.size};
        if (mlc_rt_strings_add(&m->literals, literal, false) != (int64_t)i) // one twice, too
            return false;
    }
    return true;
}

int32_t
mlc_model_num_input_values(const MlcModel *model)
{
    return model->num_values[0];
}

int32_t
mlc_model_num_output_values(const MlcModel *model)
{
    return model->num_values[1];
}

const MlcRtValueInfo *
mlc_model_input_value(const MlcModel *model, int32_t index)
{
    return index >= 0 && index < model->num_values[0] ? &model->values[index] : NULL;
}

const MlcRtValueInfo *
mlc_model_output_value(const MlcModel *model, int32_t index)
{
    return index >= 0 && index < model->num_values[1] ? &model->values[model->num_values[0] + index]
                                                      : NULL;
}
