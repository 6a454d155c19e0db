// Code that the linker refuses: it calls what nobody defines, or it has a variable.
#ifdef REFUSE_UNDEFINED
extern int not_there(int), nor_this(void);

int
mlc_main(void)
{
    return not_there(nor_this());
}
#else
int mlc_counter;

int
mlc_main(void)
{
    return ++mlc_counter;
}
#endif
